import { type JsonInput, stringifyJson } from '../../../src/base/index.ts';
import { METHODS } from '../../../src/rpc/method-table.ts';
import { jsonSchemaOf } from '../../../src/rpc/openrpc.ts';
import type { TestSampler } from '../random-sampler.ts';

/** Data of the wallet under test from which requests are made, so that some of them are meaningful. */
export interface Known {
  readonly addresses: readonly string[];
  readonly txids: readonly string[];
  readonly keyImages: readonly string[];
  /** The daemon's address; no request names another machine. */
  readonly daemons: readonly string[];
  readonly password: string;
  readonly keys: { readonly view: string; readonly spend: string };
}

/** A request to the service, as text or as mutated bytes. */
export interface FuzzRequest {
  readonly method: string;
  readonly body: Uint8Array;
  /** Whether the reply may contain a secret: the request asks for one. */
  readonly asksSecret: boolean;
}

type Fields = Record<string, unknown>;

/** These end the service: only sent at the end. */
const ENDING = new Set(['stop_wallet']);
/** They reveal secrets to any caller. */
const TELLING = new Set(['query_key', 'restore_deterministic_wallet']);
/** They cost half a second or more when they succeed, or afterwards: sent more rarely. */
const COSTLY = new Set([
  'close_wallet',
  'export_outputs',
  'export_key_images',
  'submit_transfer',
  'create_wallet',
  'open_wallet',
  'restore_deterministic_wallet',
  'generate_from_keys',
  'change_wallet_password',
  'transfer',
  'transfer_split',
  'sweep_all',
  'sweep_single',
  'sweep_dust',
  'rescan_blockchain',
  'rescan_spent',
  'scan_tx',
  'refresh',
  'get_reserve_proof',
  'setup_background_sync',
  'start_background_sync',
  'stop_background_sync',
  'set_subaddress_lookahead',
  'set_daemon',
]);
/** Bytes of these are not changed at random: that could name another host, or set an unknown password. */
const WHOLE = new Set(['set_daemon', 'change_wallet_password']);

const ENTRIES = METHODS.flatMap((definition) =>
  [definition.name, ...(definition.aliases ?? [])].map((name) => ({ name, definition })),
);
const NAMES = ENTRIES.filter(({ definition }) => !ENDING.has(definition.name));
const CHEAP = NAMES.filter(({ definition }) => !COSTLY.has(definition.name));
const DEAR = NAMES.filter(({ definition }) => COSTLY.has(definition.name));

interface FieldSchema {
  readonly type?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

const encoder = new TextEncoder();

/** Valid requests of every method, and mutations of them. */
export class RequestMaker {
  readonly #sampler: TestSampler;
  readonly #known: Known;
  readonly #costlyOneIn: number;
  #id = 0;

  /** @param costlyOneIn one call in this many is a slow one */
  constructor(sampler: TestSampler, known: Known, costlyOneIn: number) {
    this.#sampler = sampler;
    this.#known = known;
    this.#costlyOneIn = costlyOneIn;
  }

  /** A well-formed call, sometimes with wrong fields. */
  call(): FuzzRequest {
    const { method, name, params } = this.#meant();
    if (this.#sampler.below(2) === 0) this.#spoil(method, params);
    return { method: name, body: encoder.encode(stringifyJson(this.#envelope(name, params))), asksSecret: TELLING.has(method) };
  }

  /** A call with corrupted bytes. */
  broken(): FuzzRequest {
    for (;;) {
      const { method, name, params } = this.#meant();
      if (WHOLE.has(method)) continue;
      const text = stringifyJson(this.#envelope(name, params));
      return { method: name, body: this.#break(text), asksSecret: TELLING.has(method) };
    }
  }

  #meant(): { method: string; name: string; params: Fields } {
    const sampler = this.#sampler;
    const { name, definition } = sampler.pick(sampler.below(this.#costlyOneIn) === 0 ? DEAR : CHEAP);
    const { properties = {} } = jsonSchemaOf(definition.params) as FieldSchema;
    const params: Fields = {};
    for (const [field, schema] of Object.entries(properties)) {
      if (sampler.below(3) !== 0) params[field] = this.#valueOf(field, schema);
    }
    if (definition.name === 'set_daemon') params.address = sampler.pick(this.#known.daemons);
    if (definition.name === 'change_wallet_password') Object.assign(params, this.#passwords());
    return { method: definition.name, name, params };
  }

  /** The correct password unchanged, or a wrong one for another: the harness must be able to open the wallet again. */
  #passwords(): Fields {
    const { password } = this.#known;
    return this.#sampler.below(2) === 0
      ? { old_password: password, new_password: password }
      : { old_password: 'not this one', new_password: 'another' };
  }

  #envelope(method: string, params: Fields): JsonInput {
    const sampler = this.#sampler;
    const envelope: Fields = { jsonrpc: '2.0', id: `${this.#id++}`, method, params };
    if (sampler.below(40) === 0) envelope.id = this.#anything(2);
    if (sampler.below(80) === 0) envelope.jsonrpc = this.#anything(1);
    if (sampler.below(80) === 0 && !WHOLE.has(method)) envelope.params = this.#anything(3);
    return envelope as JsonInput;
  }

  #valueOf(field: string, schema: FieldSchema): unknown {
    const sampler = this.#sampler;
    switch (schema.type) {
      case 'array':
        return Array.from({ length: sampler.below(4) }, () => this.#valueOf(field, schema.items ?? {}));
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, this.#valueOf(name, inner)]),
        );
      case 'integer':
        return sampler.pick([0, 1, 2, 5, 16, 1000, 1_000_000_000_000]);
      case 'boolean':
        return sampler.below(2) === 0;
      default:
        return this.#textOf(field);
    }
  }

  #textOf(field: string): string {
    const { addresses, txids, keyImages, password, keys } = this.#known;
    const sampler = this.#sampler;
    if (/address/.test(field)) return sampler.pick(addresses);
    if (/txid|hash/.test(field)) return sampler.pick(txids);
    if (/key_image/.test(field)) return sampler.pick(keyImages);
    if (/password/.test(field)) return sampler.pick([password, '', 'other']);
    if (field === 'viewkey') return keys.view;
    if (field === 'spendkey') return sampler.pick([keys.spend, '']);
    if (field === 'filename') return sampler.pick(['main', 'other', 'third', '', '../up', 'a/b']);
    if (field === 'language') return sampler.pick(['English', 'German', 'Klingon', '']);
    if (field === 'key_type') return sampler.pick(['mnemonic', 'view_key', 'spend_key', 'x']);
    if (field === 'transfer_type') return sampler.pick(['all', 'available', 'unavailable', 'x']);
    if (field === 'payment_id') return sampler.pick(['', '1122334455667788', 'ab'.repeat(32), 'zz']);
    if (/hex|blob|set$|metadata|tx_key|info/.test(field))
      return sampler.pick(['', '00', 'ab'.repeat(32), 'cd'.repeat(200), 'xyz']);
    if (field === 'uri') return `monero:${sampler.pick(addresses)}?tx_amount=${sampler.below(1000)}.5&tx_description=x`;
    if (field === 'signature')
      return sampler.pick(['SigV2', 'OutProofV2', 'ReserveProofV2', 'SpendProofV1']) + 'A'.repeat(sampler.below(200));
    return sampler.pick(['', 'label', 'a longer text, with ünïcode ✓', '*', '0', 'k']);
  }

  /** Changes, removes or adds one or two fields. */
  #spoil(method: string, params: Fields): void {
    const sampler = this.#sampler;
    for (let times = sampler.between(1, 2); times > 0; times--) {
      const names = Object.keys(params).filter((name) => !(WHOLE.has(method) && /address|password/.test(name)));
      const what = sampler.below(10);
      if (what === 0 || names.length === 0) params[this.#oddText()] = this.#anything(3);
      else if (what === 1) delete params[sampler.pick(names)];
      else params[sampler.pick(names)] = this.#anything(3);
    }
  }

  #anything(depth: number): unknown {
    const sampler = this.#sampler;
    switch (sampler.below(depth > 0 ? 12 : 9)) {
      case 0:
        return null;
      case 1:
        return sampler.below(2) === 0;
      case 2:
        return sampler.between(-3, 40);
      case 3:
        return sampler.pick([-1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1.5, -0.0001, 1e300, 1e21]);
      case 4:
        return sampler.pick([2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 63n), -(2n ** 70n), 10n ** 40n]);
      case 5:
      case 6:
        return this.#oddText();
      case 7:
        return sampler.pick([...this.#known.addresses, ...this.#known.txids]);
      case 8:
        return 'x'.repeat(sampler.pick([1, 100, 5000, 70_000]));
      case 9:
        return Array.from({ length: sampler.below(5) }, () => this.#anything(depth - 1));
      case 10:
        return Object.fromEntries(Array.from({ length: sampler.below(4) }, () => [this.#oddText(), this.#anything(depth - 1)]));
      default:
        return { nested: this.#anything(depth - 1) };
    }
  }

  #oddText(): string {
    return this.#sampler.pick([
      '',
      '0',
      '-1',
      '18446744073709551615',
      '18446744073709551616',
      '__proto__',
      'constructor',
      'hasOwnProperty',
      '../../x',
      '\u0000',
      '\ud83d\ude00',
      'a"b\\c\n',
      '(a+)+$',
      'zz'.repeat(32),
      'ab'.repeat(31),
      'ab'.repeat(33),
      '%00%ff',
      'monero:',
    ]);
  }

  #break(text: string): Uint8Array {
    const sampler = this.#sampler;
    switch (sampler.below(8)) {
      case 0:
        return encoder.encode(text.slice(0, sampler.below(text.length)));
      case 1:
        return encoder.encode(text + sampler.pick([' ', '{}', ']', '\u0000', text, ',', '//']));
      case 2:
        return nested(sampler);
      case 3: // A duplicate name.
        return encoder.encode(text.replace('"params":{', `"params":{"account_index":${sampler.below(3)},"account_index":"x",`));
      case 4: // A number that a double cannot represent.
        return encoder.encode(
          text.replace(
            /:\d+/,
            `:${sampler.pick(['9007199254740993', '1'.repeat(400), '1e999', '-0', '01', '0x1', '.5', 'NaN'])}`,
          ),
        );
      case 5:
        return badUtf8(encoder.encode(text), sampler);
      case 6:
        return encoder.encode(text.replaceAll('"', sampler.pick(["'", '', '\\"', '“'])));
      default:
        return changed(encoder.encode(text), sampler);
    }
  }
}

function nested(sampler: TestSampler): Uint8Array {
  const depth = sampler.pick([99, 100, 101, 1000, 20_000]);
  const [open, close] = sampler.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const);
  const inner = `${open.repeat(depth)}1${sampler.below(2) === 0 ? close.repeat(depth) : ''}`;
  return encoder.encode(sampler.below(2) === 0 ? inner : `{"id":1,"method":"get_version","params":${inner}}`);
}

function badUtf8(bytes: Uint8Array, sampler: TestSampler): Uint8Array {
  const wrong = sampler.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]] as const);
  const place = sampler.below(bytes.length);
  return Uint8Array.from([...bytes.slice(0, place), ...wrong, ...bytes.slice(place)]);
}

/** A few bytes changed, removed or inserted. */
function changed(bytes: Uint8Array, sampler: TestSampler): Uint8Array {
  let result = bytes;
  for (let times = sampler.between(1, 4); times > 0; times--) {
    const place = sampler.below(result.length + 1);
    const put = Array.from({ length: sampler.below(3) }, () => sampler.below(256));
    result = Uint8Array.from([...result.slice(0, place), ...put, ...result.slice(place + sampler.below(3))]);
  }
  return result;
}
