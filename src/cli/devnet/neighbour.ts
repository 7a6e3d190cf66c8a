import { bytesToHex, hexToBytes, readUrl } from '../../base/index.ts';
import { DaemonService } from '../../daemon/service/index.ts';
import type { Neighbour } from '../../devnet/index.ts';
import { CliError } from '../errors.ts';

/**
 * Another daemon, over its RPC: a devnet or a monerod, restricted or not.
 * @param text `http://127.0.0.1:18081`, with `name:password@` if it needs a login
 * @throws CliError for anything but an address
 */
export function neighbourFromUrl(text: string): Neighbour {
  const url = readUrl(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === undefined) throw new CliError(`--follow wants an address such as http://127.0.0.1:18081, not "${text}"`);
  const { username, password } = url;
  const login = username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const daemon = DaemonService.connect({ url: url.origin + url.pathname, ...login, retry: { attempts: 1 } });
  return {
    name: url.host,
    state: async () => {
      const { nettype, topBlockHash, height, cumulativeDifficulty } = (await daemon.getInfo()).acceptUnverified('neighbour');
      return { nettype, topId: topBlockHash, height, cumulativeDifficulty };
    },
    blocksFrom: async (blockIds) => {
      const { blocks } = (await daemon.getBlocksBin({ blockIds })).acceptUnverified('neighbour');
      return blocks.map(({ block, txs }) => ({ blob: block, transactions: txs.map(({ blob }) => blob) }));
    },
    idsFrom: async (blockIds) => {
      const { startHeight, mBlockIds } = (await daemon.getHashesBin({ blockIds })).acceptUnverified('neighbour');
      return { height: startHeight, ids: mBlockIds };
    },
    poolIds: async () => (await daemon.getTransactionPoolHashes()).acceptUnverified('neighbour').txHashes,
    transactions: async (txsHashes) => {
      const { txs } = (await daemon.getTransactions({ txsHashes })).acceptUnverified('neighbour');
      return txs.flatMap(({ asHex }) => (asHex === '' ? [] : [hexToBytes(asHex)]));
    },
    // Refused or not: the other daemon has its own rules.
    giveTransaction: async (blob) => void (await daemon.sendRawTransaction({ txAsHex: bytesToHex(blob) })),
    giveBlock: async (blob) => void (await daemon.submitBlock([bytesToHex(blob)])),
  };
}
