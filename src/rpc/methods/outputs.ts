import * as v from 'valibot';
import { bytesToHex } from '../../base/index.ts';
import { OfflineSigningError, type OfflineSigningErrorCode, type OutputView, type Wallet } from '../../wallet/index.ts';
import { Wallet2Error } from '../../wallet2/index.ts';
import { decryptFailureText, RpcError, withErrorsMapped } from '../errors.ts';
import { bool, objects, params, result, text, u32 } from '../fields.ts';
import { requireFixed, requireHex, requireKeyImage } from '../hex-params.ts';
import { MethodGroup, READS, type RpcContext, WRITES } from '../method.ts';
import { requireNoDevice } from '../no-device.ts';
import { requireTrustedDaemon } from '../trusted-daemon.ts';

export const outputMethods = new MethodGroup('Outputs and key images');

/** The reference's messages. */
const REFERENCE_TEXTS: Partial<Record<OfflineSigningErrorCode, string>> = {
  'other-account': 'Outputs from are for a different account',
  'missing-outputs': 'Offset larger than known outputs',
  'nothing-requested': 'Nothing requested',
  'start-without-all': 'Incremental mode is incompatible with non-zero start',
  'too-many-key-images': 'The blockchain is out of date compared to the signed key images',
  'bad-key-image': 'Key image out of validity domain',
  'view-only': 'key_image generated ephemeral public key not matched with output_key',
  'one-of-several': 'key_image generated not matched with cached key image',
  'damaged-file': 'Failed to import outputs',
};

/** Messages of `import_outputs`, which the reference prefixes. */
const IMPORT_TEXTS: typeof REFERENCE_TEXTS = {
  ...REFERENCE_TEXTS,
  'missing-outputs':
    'Failed to import outputs: Imported outputs omit more outputs that we know of. Try using export_outputs all.',
  'outputs-beyond-total': 'Failed to import outputs: Offset is larger than total outputs',
  'not-ours': 'Failed to import outputs: Failed to generate key image',
};

/** Message for a file of another wallet, or of another format. */
const unreadableFileText = (error: Wallet2Error): string =>
  error.code === 'not-authentic' ? `Failed to decrypt outputs: ${decryptFailureText(error)}` : 'Bad magic from outputs';

/** @throws RpcError with the reference's message if it has one */
const withReferenceErrors = <T>(work: () => Promise<T>, words = REFERENCE_TEXTS): Promise<T> =>
  withErrorsMapped(work, (error) => {
    if (error instanceof Wallet2Error) return new RpcError('unknown', unreadableFileText(error));
    return error instanceof OfflineSigningError ? new RpcError('unknown', words[error.code] ?? error.message) : undefined;
  });

/** Prefix of a file of outputs of any release (wallet2.cpp, OUTPUT_EXPORT_FILE_MAGIC). */
const MAGIC = new TextEncoder().encode('Monero output export');

outputMethods.define({
  name: 'export_outputs',
  summary: 'Outputs for the cold half of this wallet: those it has not told the key images of, or all.',
  params: params({ all: bool(), start: u32(), count: u32(0xffff_ffff) }),
  result: v.object({ outputs_data_hex: result.text }),
  ...READS,
  restricted: 'denied',
  errors: ['unknown'],
  async handler({ wallet, host: { compat } }, options) {
    requireNoDevice(wallet);
    return {
      outputs_data_hex: bytesToHex(await withReferenceErrors(() => wallet.offline.exportOutputs({ ...options, compat }))),
    };
  },
});

outputMethods.define({
  name: 'import_outputs',
  summary: 'Takes outputs that the view-only half of this wallet exported.',
  params: params({ outputs_data_hex: text() }),
  result: v.object({ num_imported: result.u32 }),
  ...WRITES,
  errors: ['badHex', 'unknown'],
  carriesFiles: true,
  async handler({ wallet }, { outputs_data_hex }) {
    requireNoDevice(wallet);
    const file = requireHex(outputs_data_hex);
    if (!MAGIC.every((byte, i) => file[i] === byte)) throw new RpcError('unknown', 'Bad magic from outputs');
    return { num_imported: await withReferenceErrors(() => taken(wallet, file), IMPORT_TEXTS) };
  },
});

/** Imports outputs. A wallet that scans the chain itself refuses them, except a file without outputs. */
async function taken({ chain, offline }: Wallet, file: Uint8Array): Promise<number> {
  if (chain.hasScanned && (await offline.countOutputs(file)) > 0)
    throw new RpcError('unknown', 'Failed to import outputs: Hot wallets cannot import outputs');
  return offline.importOutputs(file);
}

outputMethods.define({
  name: 'export_key_images',
  summary: 'Key images of outputs with their proofs: those asked for, or all.',
  params: params({ all: bool() }),
  result: v.object({
    offset: result.u32,
    signed_key_images: v.array(v.object({ key_image: result.text, signature: result.text })),
  }),
  ...READS,
  restricted: 'denied',
  errors: ['unknown'],
  async handler({ wallet }, { all }) {
    requireNoDevice(wallet);
    const { offset, keyImages } = await withReferenceErrors(() => wallet.offline.keyImages(all));
    const signed = keyImages.map(({ keyImage, signature }) => ({
      key_image: bytesToHex(keyImage),
      signature: bytesToHex(signature),
    }));
    return { offset, signed_key_images: signed };
  },
});

/** A file holds those of a large wallet; more must be sent in parts, by `offset`. */
const MOST_KEY_IMAGES = 160_000;

outputMethods.define({
  name: 'import_key_images',
  summary: 'Takes key images, and learns which outputs are spent.',
  params: params({ offset: u32(), signed_key_images: objects({ key_image: text(), signature: text() }, MOST_KEY_IMAGES) }),
  result: v.object({ height: result.u32, spent: result.u64, unspent: result.u64 }),
  ...WRITES,
  needs: 'daemon',
  errors: ['wrongKeyImage', 'wrongSignature', 'noDaemonConnection', 'unknown'],
  carriesFiles: true,
  async handler({ host, wallet }, { offset, signed_key_images }) {
    requireTrustedDaemon(host, wallet);
    const keyImages = signed_key_images.map(({ key_image, signature }) => ({
      keyImage: requireFixed(key_image, 32, 'wrongKeyImage', 'failed to parse key image'),
      signature: requireFixed(signature, 64, 'wrongSignature', 'failed to parse signature'),
    }));
    const work = () => wallet.offline.importKeyImages({ offset, keyImages });
    const named = (error: unknown) => naming(error, offset, signed_key_images);
    const { height, spent, unspent } = await withReferenceErrors(() => withErrorsMapped(work, named));
    // They are imported, as when a daemon does not answer; only a daemon knows which are spent.
    if (wallet.daemon === undefined && (offset > 0 || keyImages.length > 0))
      throw new RpcError('noDaemonConnection', 'no connection to daemon');
    return { height, spent, unspent };
  },
});

/** The reference names the key image that it refuses. */
function naming(
  error: unknown,
  offset: number,
  images: readonly { readonly key_image: string; readonly signature: string }[],
): RpcError | undefined {
  if (!(error instanceof OfflineSigningError)) return undefined;
  const { position, key } = error.data;
  const one = images[Number(position) - offset];
  if (one === undefined) return undefined;
  const number = `${position}/${images.length}, key image ${one.key_image.toLowerCase()}`;
  if (error.code === 'bad-key-image') return new RpcError('unknown', `Key image out of validity domain: input ${number}`);
  if (error.code !== 'bad-signature') return undefined;
  return new RpcError(
    'wrongSignature',
    `Signature check failed ${number}, signature ${one.signature.toLowerCase()}, pubkey ${key}`,
  );
}

/** The output that has a key image. @throws RpcError */
function outputOf({ wallet }: RpcContext, text: string, purpose: string): OutputView {
  if (text === '') throw new RpcError('unknown', `Must specify key image to ${purpose}`);
  const output = wallet.outputOf(requireKeyImage(text));
  if (output === undefined) throw new RpcError('unknown', 'Key image not found');
  return output;
}

/** `freeze` and `thaw`. */
const settingAside = (name: 'freeze' | 'thaw', summary: string, aside: boolean) =>
  outputMethods.define({
    name,
    summary,
    params: params({ key_image: text() }),
    ...WRITES,
    errors: ['wrongKeyImage', 'unknown'],
    async handler(context, { key_image }) {
      await context.wallet.setFrozen([outputOf(context, key_image, name).key], aside);
    },
  });

settingAside('freeze', 'Sets an output aside: it is not spent.', true);

outputMethods.define({
  name: 'frozen',
  summary: 'Whether an output is set aside.',
  params: params({ key_image: text() }),
  result: v.object({ frozen: result.bool }),
  ...READS,
  errors: ['wrongKeyImage', 'unknown'],
  handler: (context, { key_image }) => ({ frozen: outputOf(context, key_image, 'check if frozen').frozen }),
});

settingAside('thaw', 'Gives an output free that was set aside.', false);
