import * as v from 'valibot';
import type { RoundResult, Wallet } from '../../wallet/index.ts';
import { RpcError } from '../errors.ts';
import { bool, params, result, text, texts, u32 } from '../fields.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';
import { requireEnabled, requireGroup, requirePassword, watchOnlyError, withKexErrors } from '../multisig-wallet.ts';

export const multisigKeyMethods = new MethodGroup('Multisig');

/** How a wallet becomes a signer of a group. */

multisigKeyMethods.define({
  name: 'is_multisig',
  summary: 'Whether the wallet is shared by several signers.',
  result: v.object({ multisig: result.bool, ready: result.bool, threshold: result.u32, total: result.u32 }),
  ...READS,
  handler({ wallet: { multisig } }) {
    const { ready = false, threshold = 0, total = 0 } = multisig.group ?? {};
    return { multisig: multisig.group !== undefined, ready, threshold, total };
  },
});

/** @throws RpcError `alreadyMultisig` */
function requireSingle({ multisig }: Wallet): void {
  if (multisig.group !== undefined) throw new RpcError('alreadyMultisig', 'This wallet is already multisig');
}

/** Requires a wallet with a spend key: only such a one can become a multisig signer. @throws RpcError `watchOnly` */
function requireFull({ description }: Wallet): void {
  if (description.kind === 'view') throw watchOnlyError();
}

multisigKeyMethods.define({
  name: 'prepare_multisig',
  summary: 'What the other signers need of this wallet first. It is for them alone: who has it of all sees what they receive.',
  params: params({ enable_multisig_experimental: bool() }),
  result: v.object({ multisig_info: result.text }),
  ...WRITES,
  errors: ['alreadyMultisig', 'watchOnly'],
  revealsSecret: () => true,
  async handler({ wallet }, { enable_multisig_experimental }) {
    requireSingle(wallet);
    if (enable_multisig_experimental) await wallet.multisig.enable();
    requireFull(wallet);
    return { multisig_info: await wallet.multisig.firstMessage() };
  },
});

const made = v.object({ address: result.text, multisig_info: result.text });

multisigKeyMethods.define({
  name: 'make_multisig',
  summary: 'Makes the wallet one of several signers.',
  params: params({ multisig_info: texts(), threshold: u32(), password: text() }),
  result: made,
  ...WRITES,
  errors: ['alreadyMultisig', 'watchOnly', 'unknown'],
  carriesFiles: true,
  async handler({ wallet }, { multisig_info, threshold, password }) {
    requireSingle(wallet);
    requireFull(wallet);
    await requirePassword(wallet, password);
    const { message } = await withKexErrors(() => wallet.multisig.make(multisig_info, threshold));
    return { address: wallet.description.primaryAddress, multisig_info: message };
  },
});

const exchanged = params({ password: text(), multisig_info: texts(), force_update_use_with_caution: bool() });

multisigKeyMethods.define({
  name: 'exchange_multisig_keys',
  summary: 'One more round with the other signers.',
  params: exchanged,
  result: made,
  ...WRITES,
  errors: ['notMultisig', 'disabled', 'thresholdNotReached', 'unknown'],
  carriesFiles: true,
  async handler({ wallet }, params) {
    const { ready, message } = await nextRound(wallet, params);
    return { address: ready ? wallet.description.primaryAddress : '', multisig_info: message };
  },
});

/** No longer in the reference's service: one round, as exchange_multisig_keys, with the specification's answer. */
multisigKeyMethods.define({
  name: 'finalize_multisig',
  summary: 'One more round with the other signers, of old.',
  params: params({ password: text(), multisig_info: texts() }),
  result: v.object({ address: result.text }),
  ...WRITES,
  errors: ['notMultisig', 'disabled', 'thresholdNotReached', 'unknown'],
  carriesFiles: true,
  async handler({ wallet }, params) {
    await nextRound(wallet, { ...params, force_update_use_with_caution: false });
    return { address: wallet.description.primaryAddress };
  },
});

/** Prefix of the reference's messages for a failed round. */
const EXCHANGE = 'Error calling exchange_multisig_info: ';

type Exchanged = v.InferOutput<typeof exchanged>;

async function nextRound(wallet: Wallet, { multisig_info, password, ...params }: Exchanged): Promise<RoundResult> {
  const { total } = requireGroup(wallet);
  requireEnabled(wallet);
  if (multisig_info.length + 1 < total) throw new RpcError('thresholdNotReached', 'Needs multisig info from more participants');
  await requirePassword(wallet, password, EXCHANGE);
  const force = params.force_update_use_with_caution;
  return withKexErrors(() => wallet.multisig.exchange(multisig_info, { force }), EXCHANGE);
}
