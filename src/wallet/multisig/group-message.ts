import { asciiToBytes, asObject, equalBytes, type JsonObject, parseJson } from '../../base/index.ts';
import { decodeTextFile } from '../offline-signing/file-bytes.ts';
import { MultisigError } from './errors.ts';
import { decodeKexMessage, type KexMessage } from './kex-message.ts';

/** A message from another member, with its kind. */
export type GroupMessage =
  | { readonly kind: 'rounds'; readonly messages: readonly RoundMessage[] }
  | { readonly kind: 'info'; readonly bytes: Uint8Array }
  | { readonly kind: 'set'; readonly bytes: Uint8Array };

/** A message of a key exchange: its text and its decoded contents. */
export interface RoundMessage {
  readonly text: string;
  readonly message: KexMessage;
}

const INFO = asciiToBytes('Monero multisig export');
const SET = asciiToBytes('Monero multisig unsigned tx set');
const BRACE = asciiToBytes('{')[0]!;
const SPACE = 0x20;
/** Fields of monero-wallet-rpc's replies that hold a message: text for a key exchange, hex for others. */
const REPLY_FIELDS = ['multisig_info', 'info', 'tx_data_hex', 'multisig_txset'] as const;
/** Matches the beginning of each key-exchange message in a text, which may hold several. */
const BEGINNING = /(?=Multisigx?V\d)/;
const MESSAGE = /^Multisigx?V\d[0-9A-Za-z]*/;

/**
 * Reads a message and determines its kind.
 * @throws MultisigError `bad-message` for anything but a message; as `decodeKexMessage`
 */
export function readGroupMessage(file: Uint8Array): GroupMessage {
  const bytes = decodeTextFile(file);
  if (begins(bytes, INFO)) return { kind: 'info', bytes };
  if (begins(bytes, SET)) return { kind: 'set', bytes };
  const text = new TextDecoder().decode(bytes);
  const inReply = bytes.find((byte) => byte > SPACE) === BRACE ? fieldOfReply(text) : undefined;
  if (inReply !== undefined) return readGroupMessage(asciiToBytes(inReply));
  const messages = text
    .split(BEGINNING)
    .filter((part) => MESSAGE.test(part))
    .map(readRound);
  if (messages.length === 0) throw new MultisigError('bad-message', 'expected a message of a group');
  return { kind: 'rounds', messages };
}

const begins = (bytes: Uint8Array, magic: Uint8Array): boolean => equalBytes(bytes.subarray(0, magic.length), magic);

function fieldOfReply(text: string): string | undefined {
  try {
    const reply = asObject(parseJson(text));
    const result: JsonObject = reply.result === undefined ? reply : asObject(reply.result);
    const field = REPLY_FIELDS.map((name) => result[name]).find((value) => typeof value === 'string' && value !== '');
    return typeof field === 'string' && !field.startsWith('{') ? field : undefined;
  } catch {
    return undefined;
  }
}

/** Other text may follow a message, and mail programs may break it into lines. */
function readRound(part: string): RoundMessage {
  const text = MESSAGE.exec(part)?.[0] ?? '';
  try {
    return { text, message: decodeKexMessage(text) };
  } catch {
    const whole = MESSAGE.exec(part.replaceAll(/\s/g, ''))?.[0] ?? '';
    return { text: whole, message: decodeKexMessage(whole) };
  }
}
