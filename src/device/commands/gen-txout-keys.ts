import { concatBytes } from '../../base/index.ts';
import type { PaidAddress } from '../../protocol/index.ts';
import { u32be } from '../apdu.ts';
import type { DeviceSession } from '../session.ts';

const TX_VERSION = 2;
const VIEW_TAGS = 1;

/** One output to be made, as the wallet knows it. */
export interface OutputRequest {
  /** r of the transaction, sealed. */
  readonly secret: Uint8Array;
  /** R as in tx_extra, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly address: PaidAddress;
  readonly index: number;
  /** Ours: the device derives it with its view key, and asks its owner less. */
  readonly isChange: boolean;
  /** A key of its own, sealed, where every output has one. */
  readonly additional: Uint8Array | undefined;
}

/** The same output as the device made it. */
export interface OutputKeys {
  /** Key of its amount, sealed. */
  readonly amountKey: Uint8Array;
  /** One-time key, 32 bytes. */
  readonly key: Uint8Array;
  /** 32 bytes, where it has a key of its own. */
  readonly additional: Uint8Array | undefined;
  /** 0 … 255. */
  readonly viewTag: number;
}

/**
 * Has the device derive an output's key, amount key and view tag (INS_GEN_TXOUT_KEYS; `generate_output_ephemeral_keys`, device_ledger.cpp).
 * @throws DeviceError
 */
export function genTxoutKeys(session: DeviceSession, request: OutputRequest): Promise<OutputKeys> {
  const { secret, publicKey, address, index, isChange, additional } = request;
  const flags = Uint8Array.of(isChange ? 1 : 0, address.isSubaddress ? 1 : 0, additional === undefined ? 0 : 1);
  const own = additional === undefined ? new Uint8Array(32) : session.slot(additional);
  const data = concatBytes(
    ...[u32be(TX_VERSION), session.slot(secret), publicKey, address.viewKey, address.spendKey, u32be(index)],
    ...[flags, own, Uint8Array.of(VIEW_TAGS)],
  );
  return session.ask({ instruction: 0x7b, data }, (reply) => ({
    amountKey: reply.secret(),
    key: reply.point(),
    additional: additional && reply.point(),
    viewTag: reply.bytes(1)[0]!,
  }));
}
