import * as v from 'valibot';
import { isDaemonError } from '../../daemon/index.ts';
import { isStorageError } from '../../storage/index.ts';
import { catchUp } from '../catch-up.ts';
import { daemonUrl } from '../daemon-url.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { bool, params, result, text, texts, u32, u64 } from '../fields.ts';
import { isHex } from '../hex-params.ts';
import type { DaemonTls } from '../host.ts';
import { MethodGroup, READS, RUNS, WRITES } from '../method.ts';
import { requireTrustedDaemon } from '../trusted-daemon.ts';

export const daemonLinkMethods = new MethodGroup('Daemon link and wallet info');

/** WALLET_RPC_VERSION of the reference's release 0.18.5.3: major 1, minor 32. */
const RPC_VERSION = 1 * 2 ** 16 + 32;

const SSL_SUPPORT = ['disabled', 'enabled', 'autodetect'];
/** Hex digits of a certificate's fingerprint: SHA-1 or SHA-256. */
const FINGERPRINT_DIGITS = [40, 64];

const daemonAsked = params({
  address: text(),
  username: text(),
  password: text(),
  trusted: bool(),
  ssl_support: text('autodetect'),
  ssl_private_key_path: text(),
  ssl_certificate_path: text(),
  ssl_ca_file: text(),
  ssl_allowed_fingerprints: texts(),
  ssl_allow_any_cert: bool(),
  proxy: text(),
});

daemonLinkMethods.define({
  name: 'set_daemon',
  summary: 'Another daemon for the open wallet; none with an empty address.',
  params: daemonAsked,
  ...WRITES,
  errors: ['noDaemonConnection', 'proxyAlreadyDefined'],
  async handler({ host }, params) {
    if (host.proxied && params.proxy !== '') {
      const refusal = 'It is not possible to set daemon specific proxy when --proxy is defined.';
      throw new RpcError('proxyAlreadyDefined', refusal);
    }
    params.ssl_allowed_fingerprints.forEach(requireFingerprint);
    if (!SSL_SUPPORT.includes(params.ssl_support)) throw new RpcError('noDaemonConnection', 'Invalid ssl support mode');
    const pinned = params.ssl_ca_file !== '' || params.ssl_allowed_fingerprints.length > 0;
    if (params.ssl_support === 'enabled' && !params.ssl_allow_any_cert && !pinned) {
      throw new RpcError('noDaemonConnection', 'SSL is enabled but no user certificate or fingerprints were provided');
    }
    if (params.address === '') {
      await host.leaveDaemon(params.trusted);
      return;
    }
    const login =
      params.username === '' && params.password === '' ? {} : { username: params.username, password: params.password };
    const tls = tlsOf(params, params.ssl_support as DaemonTls['mode']);
    const settings = { url: daemonUrl(params.address, tls), trusted: params.trusted, ...login };
    await withErrorsMapped(
      () => host.setDaemon(settings, tls, params.proxy),
      (error) => (isDaemonError(error, 'bad-url') ? new RpcError('noDaemonConnection', 'Unable to set daemon') : undefined),
    );
  },
});

/** SHA-256 as in the reference, or SHA-1. @throws RpcError `noDaemonConnection` */
function requireFingerprint(text: string): void {
  const digits = text.replace(/[\s:]/g, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits))
    throw new RpcError('noDaemonConnection', 'ssl_allowed_fingerprints[] entries must be hex-encoded SHA-256 values');
  if (!FINGERPRINT_DIGITS.includes(digits.length))
    throw new RpcError('noDaemonConnection', 'Each ssl_allowed_fingerprints[] entry must decode to exactly 32 bytes');
}

const tlsOf = (params: v.InferOutput<typeof daemonAsked>, mode: DaemonTls['mode']): DaemonTls => ({
  mode,
  keyFile: params.ssl_private_key_path,
  certificateFile: params.ssl_certificate_path,
  authoritiesFile: params.ssl_ca_file,
  chained: false,
  fingerprints: params.ssl_allowed_fingerprints,
  anyCertificate: params.ssl_allow_any_cert,
});

daemonLinkMethods.define({
  name: 'get_version',
  summary: "The version of this interface: major × 2^16 + minor, that of the reference's 0.18.5.3.",
  result: v.object({ version: result.u32, release: result.bool }),
  ...READS,
  needs: 'nothing',
  handler: () => ({ version: RPC_VERSION, release: false }),
});

daemonLinkMethods.define({
  name: 'get_height',
  aliases: ['getheight'],
  summary: 'Number of blocks that the wallet has scanned.',
  result: v.object({ height: result.u32 }),
  ...READS,
  handler({ wallet }) {
    const { height, hasScanned } = wallet.chain;
    // The genesis block is known before any scan. A wallet that begins above its daemon's tip has reached the tip.
    const known = hasScanned ? height : Math.min(height, wallet.sync.daemonHeight ?? 1);
    return { height: Math.max(1, known) };
  },
});

daemonLinkMethods.define({
  name: 'store',
  summary:
    'Everything on the disk. Changes are there already when they are acknowledged; a background wallet is brought up to date.',
  ...WRITES,
  handler: ({ wallet }) => wallet.backgroundSync.updateCopy(),
});

daemonLinkMethods.define({
  name: 'stop_wallet',
  summary: 'Stores the wallet and ends the service.',
  ...WRITES,
  async handler({ host }) {
    host.requestStop();
  },
});

daemonLinkMethods.define({
  name: 'rescan_blockchain',
  summary:
    'Scans again from the restore height. Nothing that the chain cannot give back is lost. With `hard`, decoys kept for outputs that a reorganisation has moved since are given up: new ones are drawn with the next transfer.',
  params: params({ hard: bool() }),
  ...RUNS,
  errors: ['noDaemonConnection'],
  async handler({ host, wallet }, { hard }) {
    await wallet.rescan(Math.min(wallet.description.restoreHeight, wallet.chain.height));
    await catchUp(host, wallet);
    const moved = hard ? wallet.chain.movedCoins : [];
    if (moved.length === 0) return;
    await wallet.giveUpRings(moved);
    host.log?.(
      'WARNING',
      'wallet.wallet2',
      `Rings of ${moved.length} moved outputs are given up; new ones will tell whose they are`,
    );
  },
});

daemonLinkMethods.define({
  name: 'rescan_spent',
  summary:
    "Asks the daemon which of the wallet's outputs are spent. Only a trusted one is asked: the question tells it which they are. A payment that was refused and whose inputs it calls unspent is given up: until then a later transfer spends an input of it, so that they cannot both be paid.",
  ...WRITES,
  needs: 'daemon',
  errors: ['noDaemonConnection', 'unknown'],
  async handler({ host, wallet }) {
    requireTrustedDaemon(host, wallet);
    await wallet.chain.rescanSpent();
  },
});

daemonLinkMethods.define({
  name: 'refresh',
  summary: "Brings the wallet to the daemon's tip.",
  params: params({ start_height: u64() }),
  result: v.object({ blocks_fetched: result.u32, received_money: result.bool }),
  ...RUNS,
  errors: ['noDaemonConnection', 'daemonBusy'],
  async handler({ host, wallet }) {
    const { blocks, receivedMoney } = await catchUp(host, wallet);
    // As in the reference: with the device connected, key images of received coins are learned.
    await wallet.device.learnKeyImages();
    return { blocks_fetched: blocks, received_money: receivedMoney };
  },
});

daemonLinkMethods.define({
  name: 'auto_refresh',
  summary: 'Whether the wallet follows its daemon by itself, and how often it looks, in seconds.',
  params: params({ enable: bool(true), period: u32() }),
  ...WRITES,
  needs: 'nothing',
  async handler({ host }, { enable }) {
    await host.setAutoRefresh(enable);
  },
});

daemonLinkMethods.define({
  name: 'scan_tx',
  summary: 'Looks for the wallet in transactions by their ids. The daemon learns whose they are.',
  params: params({ txids: texts() }),
  ...RUNS,
  errors: ['wrongTxid', 'unknown'],
  async handler({ host, wallet }, { txids }) {
    if (!txids.every((txid) => isHex(txid, 32))) throw new RpcError('wrongTxid', 'TX ID has invalid format');
    if (txids.length === 0) return;
    const wanted = new Set(txids.map((txid) => txid.toLowerCase()));
    await wallet.chain.scanTransactions([...wanted]).catch((error: unknown) => {
      if (isStorageError(error)) throw error;
      throw new RpcError('unknown', 'Failed to get transaction from daemon');
    });
    await catchUp(host, wallet);
  },
});
