import { bytesToHex, type JsonValue, parseJson } from '../../src/base/index.ts';
import type { DevnetNode } from '../../src/devnet/index.ts';
import type { Monerod } from './programs.ts';
import { post } from './rpc.ts';

/** Sends the devnet's blocks from a height on to monerod, each with its transactions. */
export async function feed(monerod: Monerod, { chain }: DevnetNode, from = 1): Promise<void> {
  for (let height = from; height < chain.height; height++) {
    const { blob, transactions } = chain.blockAt(height)!;
    for (const tx of transactions) await monerod.path('send_raw_transaction', { tx_as_hex: bytesToHex(tx.blob) });
    await monerod.rpc('submit_block', [bytesToHex(blob)]);
  }
}

/** Sends the devnet and monerod the same request: the devnet's reply, then monerod's. */
export class BothNodes {
  readonly #urls: readonly string[];

  constructor(devnet: { readonly url: string }, monerod: { readonly url: string }) {
    this.#urls = [devnet.url, monerod.url];
  }

  /** @param body JSON text, or a value to serialize as JSON. A reply with a status other than 200 is `{ http: status }`. */
  async path(name: string, body: string | object = '{}'): Promise<[JsonValue, JsonValue]> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const ask = async (url: string): Promise<JsonValue> => {
      const { status, body: reply } = await post(`${url}/${name}`, text, 'application/json');
      return status === 200 ? parseJson(Buffer.from(reply).toString()) : { http: status };
    };
    const [ours, theirs] = await Promise.all(this.#urls.map(ask));
    return [ours!, theirs!];
  }

  rpc(method: string, params: object = {}): Promise<[JsonValue, JsonValue]> {
    return this.path('json_rpc', { jsonrpc: '2.0', id: '0', method, params });
  }

  /** Bytes both ways; a reply begins with one byte, its status divided by a hundred. */
  async binary(name: string, body: Uint8Array): Promise<[Uint8Array, Uint8Array]> {
    const ask = async (url: string) => {
      const { status, body: reply } = await post(`${url}/${name}`, body, 'application/octet-stream');
      return Uint8Array.from([Math.floor(status / 100), ...reply]);
    };
    const [ours, theirs] = await Promise.all(this.#urls.map(ask));
    return [ours!, theirs!];
  }

  submit(block: Uint8Array): Promise<[JsonValue, JsonValue]> {
    return this.rpc('submit_block', [bytesToHex(block)]);
  }

  send(transaction: Uint8Array): Promise<[JsonValue, JsonValue]> {
    return this.path('send_raw_transaction', { tx_as_hex: bytesToHex(transaction) });
  }
}
