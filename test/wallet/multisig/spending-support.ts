import { readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { secretKeyToPublicKey, systemRandom } from '../../../src/crypto/index.ts';
import { type KeyImage, type OutputKey, toAtomicAmount } from '../../../src/protocol/index.ts';
import { WalletKeys } from '../../../src/wallet/keys.ts';
import type { OwnedOutput, SubaddressIndex } from '../../../src/wallet/model.ts';
import type { MultisigAccount } from '../../../src/wallet/multisig/account.ts';
import type { SignerNonces } from '../../../src/wallet/multisig/cosigning-state.ts';
import { drawNonceSeed, noncesOfOutput, publicNonces } from '../../../src/wallet/multisig/nonces.ts';
import type { ProposalFacts } from '../../../src/wallet/multisig/propose.ts';
import type { SignContext } from '../../../src/wallet/multisig/sign-set.ts';
import type { VerifyContext } from '../../../src/wallet/multisig/verify-proposal.ts';
import { destinationsIn } from '../../../src/wallet/offline-signing/claims.ts';
import { readConstruction } from '../../../src/wallet/offline-signing/construction.ts';
import { type Opener, openOutput } from '../../../src/wallet/offline-signing/open-output.ts';
import type { UnsignedPaymentPart } from '../../../src/wallet/spend/index.ts';
import { initialState } from '../../../src/wallet/state/fold.ts';
import type { OutputEntry, WalletState } from '../../../src/wallet/state/state.ts';
import {
  type MultisigTxSet,
  openMultisigTxSet,
  type SealingKey,
  sealingKeyOf,
  type TxConstruction,
} from '../../../src/wallet2/index.ts';

/** A group of 2 of 3 made by monero-wallet-rpc 0.18.5.3, and what its members told each other. Hex. */
export interface Fixture {
  readonly threshold: number;
  readonly address: string;
  readonly seeds: readonly string[];
  readonly exports: readonly string[];
  readonly keyImages: readonly { readonly key: string; readonly image: string }[];
  readonly proposal: string;
  readonly txKey: string;
  readonly signed: string;
  readonly txHash: string;
}

export const FIXTURE = JSON.parse(readFileSync(new URL('../../fixtures/multisig-2of3.json', import.meta.url), 'utf8')) as Fixture;

/** A member from its multisig seed: counts, keys, shares, signers. */
export function accountOf(seed: string): MultisigAccount {
  const bytes = hexToBytes(seed);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [threshold, total] = [view.getUint32(0, true), view.getUint32(4, true)];
  const keys: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 32) keys.push(bytes.slice(at, at + 32));
  const [baseSecret, groupKey, commonSecret, commonKey, ...rest] = keys as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return {
    ...{ threshold, signers: rest.slice(-total), baseSecret, keyShares: rest.slice(0, -total) },
    ...{ commonSecret, commonKey, groupKey, roundsComplete: total - threshold + 2, origins: new Map() },
  };
}

const nameOf = ({ baseSecret }: MultisigAccount): string => bytesToHex(secretKeyToPublicKey(baseSecret)!);

/** What opens outputs of the group, primary address and a few more. */
export function openerFor(account: MultisigAccount): Opener {
  const keys = WalletKeys.of(
    { spendKey: undefined, viewKey: account.commonSecret.slice(), seedLanguage: 'English' },
    { network: 'regtest', primaryAddress: FIXTURE.address },
  );
  const known = new Map<string, SubaddressIndex>();
  for (let minor = 0; minor < 4; minor++)
    known.set(bytesToHex(keys.addressKeys({ major: 0, minor }).spendKey), { major: 0, minor });
  return { keys, find: (spendKey) => known.get(bytesToHex(spendKey)) };
}

/** A wallet that has seen what a set spends. */
export function stateWith(account: MultisigAccount, constructions: readonly TxConstruction[]): WalletState {
  const opener = openerFor(account);
  const images = new Map(FIXTURE.keyImages.map(({ key, image }) => [key, image as KeyImage]));
  const outputs = new Map<OutputKey, OutputEntry>();
  for (const source of constructions.flatMap(({ sources }) => sources)) {
    const member = source.outputs[Number(source.realOutput)]!;
    const opened = openOutput(opener, { ...source, key: member.key }, 0);
    const output = {
      ...{ ...opened, amount: toAtomicAmount(source.amount), mask: bytesToHex(source.mask), rct: true, coinbase: true },
      ...{ key: opened.key as OutputKey, globalIndex: member.globalIndex, keyImage: images.get(opened.key) },
      ...{ height: 100, unlockTime: 0n, timestamp: 0, paymentId: undefined, txHash: '00'.repeat(32), blockId: '00'.repeat(32) },
    } as OwnedOutput;
    outputs.set(output.key, { output, copies: [output], spend: undefined });
  }
  const state = initialState({
    ...{ kind: 'view', network: 'regtest', primaryAddress: FIXTURE.address, restoreHeight: 0, createdAt: 0 },
  });
  return { ...state, outputs };
}

let sealing: Promise<SealingKey> | undefined;

/** What the group's messages are sealed with: made once, for it costs much. */
export function groupSealing(): Promise<SealingKey> {
  sealing ??= sealingKeyOf(accountOf(FIXTURE.seeds[0]!).commonSecret);
  return sealing;
}

/** The set that the group's first member proposed. */
export const theirSet = async (): Promise<MultisigTxSet> => openMultisigTxSet(hexToBytes(FIXTURE.proposal), await groupSealing());

/** The payment in it, as one of ours would be planned. */
export async function thePayment(): Promise<UnsignedPaymentPart> {
  const { transactions } = await theirSet();
  const { construction } = transactions[0]!;
  // Destinations first, change last: as a plan has them.
  const planned = { ...construction, splitDestinations: [...construction.destinations, construction.change] };
  const images = new Map(FIXTURE.keyImages.map(({ key, image }) => [key, image as KeyImage]));
  const opener = { ...openerFor(accountOf(FIXTURE.seeds[0]!)), keyImageOf: ({ key }: { key: string }) => images.get(key)! };
  return { unsigned: readConstruction(opener, planned, 0), destinations: destinationsIn(construction, 'regtest') };
}

/** One member at work, with nonces of its own. */
export class Member {
  readonly account: MultisigAccount;
  readonly name: string;
  seed: Uint8Array;
  readonly used = new Set<OutputKey>();

  constructor(seed: string) {
    this.account = accountOf(seed);
    this.name = nameOf(this.account);
    this.seed = drawNonceSeed(this.account, new Uint8Array(), systemRandom);
  }

  context(state: WalletState): SignContext {
    const judge: VerifyContext = {
      ...openerFor(this.account),
      ...{ account: this.account, state, random: systemRandom, boundsFees: true },
    };
    return {
      ...judge,
      nonces: {
        seedOf: (key) => (this.used.has(key) ? undefined : this.seed),
        use: async (keys) => {
          for (const key of keys) this.used.add(key);
        },
      },
    };
  }

  told(key: OutputKey) {
    return publicNonces(this.seed, hexToBytes(key), noncesOfOutput(this.account));
  }
}

/** What a proposer needs, with the nonces of others. */
export function factsOf(proposer: Member, others: readonly Member[]): ProposalFacts {
  return {
    ...{ account: proposer.account, network: 'regtest' },
    positions: new Map(FIXTURE.keyImages.map(({ key }, i) => [key as OutputKey, i])),
    noncesOf: (key): SignerNonces => new Map(others.map((other) => [other.name, other.told(key)])),
  };
}
