import type { DaemonTls } from '../rpc/host.ts';
import { CliError } from './errors.ts';
import { type FlagValues, textFlag } from './flags.ts';
import { overridesSystemCheck, type PeerCheck } from './peer-certificate.ts';
import type { ServiceTls } from './service-tls.ts';

/** Hex digits of a SHA-256 fingerprint. */
const FINGERPRINT_DIGITS = 64;
const MODES = ['enabled', 'disabled', 'autodetect'] as const;

/** TLS of the service. Naming allowed clients requires TLS, whatever `--rpc-ssl` says (rpc_args.cpp). @throws CliError */
export function serviceTlsOf(values: FlagValues): ServiceTls {
  const clients = peerCheckOf(values, 'rpc-ssl');
  const mode = modeOf(values, 'rpc-ssl');
  return { mode: overridesSystemCheck(clients) ? 'enabled' : mode, clients, ...filesOf(values, 'rpc-ssl') };
}

/**
 * TLS to the daemon. If it is required, the system's authorities are not enough: the daemon must be identified (wallet2.cpp, make_basic).
 * @param host the daemon's
 * @throws CliError
 */
export function daemonTlsOf(values: FlagValues, host: string): DaemonTls {
  const check = peerCheckOf(values, 'daemon-ssl');
  const anyCertificate = values['daemon-ssl-allow-any-cert'] === true;
  const tls = { ...check, ...filesOf(values, 'daemon-ssl'), mode: modeOf(values, 'daemon-ssl'), anyCertificate };
  const proxied = values.proxy !== undefined;
  const isNamed = anyCertificate || overridesSystemCheck(check) || /\.(onion|i2p)$/i.test(host);
  if (!isNamed && (proxied || tls.mode === 'enabled')) {
    throw new CliError(
      `Enabling --${proxied ? 'proxy' : 'daemon-ssl'} requires --daemon-ssl-allow-any-cert or --daemon-ssl-ca-certificates or --daemon-ssl-allowed-fingerprints or use of a .onion/.i2p domain`,
    );
  }
  return tls;
}

function modeOf(values: FlagValues, flag: string): (typeof MODES)[number] {
  const text = textFlag(values, flag) ?? 'autodetect';
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new CliError(`--${flag} wants ${MODES.join(', ')}, not "${text}"`);
  return mode;
}

function peerCheckOf(values: FlagValues, prefix: string): PeerCheck {
  const list = textFlag(values, `${prefix}-allowed-fingerprints`) ?? '';
  const fingerprints = list.split(',').flatMap((one) => one.replace(/[\s:]/g, '') || []);
  for (const one of fingerprints) {
    if (one.length !== FINGERPRINT_DIGITS || /[^0-9a-f]/i.test(one))
      throw new CliError(`--${prefix}-allowed-fingerprints: SHA-256 fingerprint should be 32 bytes long.`);
  }
  return {
    fingerprints,
    authoritiesFile: textFlag(values, `${prefix}-ca-certificates`) ?? '',
    chained: values[`${prefix}-allow-chained`] === true,
  };
}

function filesOf(values: FlagValues, prefix: string): { readonly keyFile: string; readonly certificateFile: string } {
  const keyFile = textFlag(values, `${prefix}-private-key`) ?? '';
  const certificateFile = textFlag(values, `${prefix}-certificate`) ?? '';
  if ((keyFile === '') !== (certificateFile === ''))
    throw new CliError(`--${prefix}-private-key and --${prefix}-certificate must be either both given or both empty`);
  return { keyFile, certificateFile };
}
