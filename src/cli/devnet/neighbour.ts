import { bytesToHex, hexToBytes, readUrl } from '../../base/index.ts';
import { DaemonService } from '../../daemon/service/index.ts';
import type { Neighbour } from '../../devnet/index.ts';
import { CliError } from '../errors.ts';

/**
 * Another daemon, over its RPC: a devnet or a monerod, restricted or not.
 * @param text `http://127.0.0.1:18081`, with `name:password@` where it wants a login
 * @throws CliError for what is no address
 */
export function neighbourAt(text: string): Neighbour {
  const url = readUrl(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === undefined) throw new CliError(`--follow wants an address such as http://127.0.0.1:18081, not "${text}"`);
  const { username, password } = url;
  const login = username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const daemon = DaemonService.connect({ url: url.origin + url.pathname, ...login, retry: { attempts: 1 } });
  return {
    name: url.host,
    state: async () =>
      (await daemon.getInfo()).check(({ nettype, topBlockHash, height, cumulativeDifficulty }) => ({
        nettype,
        topId: topBlockHash,
        height,
        cumulativeDifficulty,
      })),
    blocksFrom: async (blockIds) =>
      (await daemon.getBlocksBin({ blockIds })).check(({ blocks }) =>
        blocks.map(({ block, txs }) => ({ blob: block, transactions: txs.map(({ blob }) => blob) })),
      ),
    idsFrom: async (blockIds) =>
      (await daemon.getHashesBin({ blockIds })).check(({ startHeight, mBlockIds }) => ({ height: startHeight, ids: mBlockIds })),
    poolIds: async () => (await daemon.getTransactionPoolHashes()).acceptUnverified('pool').txHashes,
    transactions: async (txsHashes) =>
      (await daemon.getTransactions({ txsHashes })).check(({ txs }) =>
        txs.flatMap(({ asHex }) => (asHex === '' ? [] : [hexToBytes(asHex)])),
      ),
    // Refused or not: the other's rules are its own.
    giveTransaction: async (blob) => void (await daemon.sendRawTransaction({ txAsHex: bytesToHex(blob) })),
    giveBlock: async (blob) => void (await daemon.submitBlock([bytesToHex(blob)])),
  };
}
