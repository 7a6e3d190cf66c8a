import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { serializeBlock } from '../../src/protocol/index.ts';
import { paymentsOf, seededRandom } from '../devnet/support.ts';
import { type OneChain, startOneChain } from '../support/one-chain.ts';

/** Transactions of blocks that are taken off: the pools of the devnet and of monerod tell of them alike, whatever becomes of their rings. */
let both: OneChain;
const random = seededRandom('taken back');

beforeAll(async () => {
  both = await startOneChain(100);
});

afterAll(() => both?.stop());

const pay = (): string => bytesToHex(paymentsOf(both.devnet.minerWallet, random).pay().blob);

/** A block on another one, for both; its answers and its id. */
function blockOn(parentId: string) {
  const { node, minerWallet } = both.devnet;
  const { parsed } = node.templateOn(parentId, minerWallet)!;
  const blob = bytesToHex(serializeBlock(parsed.block));
  return { id: parsed.id, submit: () => both.bothRpc('submit_block', `["${blob}"]`) };
}

/** The branch that ends in a block has no templates, and a block on it is taken for handed in, and forgotten. */
async function expectNothingOn(branch: { readonly id: string }, next: ReturnType<typeof blockOn>): Promise<void> {
  const { minerWallet } = both.devnet;
  const params = `{"wallet_address":"${minerWallet.address}","reserve_size":0,"prev_block":"${branch.id}"}`;
  const [refused, theirs] = await both.bothRpc('get_block_template', params);
  expect(theirs).toMatchObject({ error: { message: 'Internal error: failed to create block template' } });
  expect(refused).toEqual(theirs);
  const [taken, theirTaken] = await next.submit();
  expect(theirTaken).toMatchObject({ result: { block_id: next.id } });
  expect(taken).toEqual(theirTaken);
  const [ours, counted] = (await both.bothJson('get_info', '{}')) as { alt_blocks_count: number; height: number }[];
  expect([ours!.height, ours!.alt_blocks_count]).toEqual([counted!.height, counted!.alt_blocks_count]);
}

/** In an order of their own: the reference's is that of a hash table. */
function sorted(answer: unknown): unknown {
  const { spent_key_images = [], ...others } = answer as { spent_key_images?: { id_hash: string }[] };
  return { ...others, spent_key_images: spent_key_images.toSorted((a, b) => (a.id_hash < b.id_hash ? -1 : 1)) };
}

async function expectOnePool(when: string): Promise<void> {
  const [ours, theirs] = await both.bothJson('get_transaction_pool', '{}');
  expect(sorted(ours), when).toEqual(sorted(theirs));
}

async function expectOnePoolAround(look: 'get_miner_data' | 'get_block_template', when: string): Promise<void> {
  await expectOnePool(when);
  const { address } = both.devnet.minerWallet;
  await both.bothRpc(look, look === 'get_miner_data' ? '{}' : `{"wallet_address":"${address}","reserve_size":0}`);
  await expectOnePool(`${when}, after ${look}`);
}

/** Mines blocks that both then have. */
async function mine(blocks: number): Promise<void> {
  const { minerWallet, node } = both.devnet;
  for (let i = 0; i < blocks; i++) {
    node.mine(minerWallet);
    await both.passOn(node.chain.height - 1);
  }
}

const pop = async (nblocks: number) => {
  const [ours, theirs] = await both.bothJson('pop_blocks', `{"nblocks":${nblocks}}`);
  expect(ours).toEqual(theirs);
};

it('they wait again with their rings, fail where those are gone, and are told of as they were last looked at', async () => {
  const { devnet, passOn, bothJson, bothRpc } = both;
  for (let i = 0; i < 3; i++) await bothJson('send_raw_transaction', `{"tx_as_hex":"${pay()}"}`);
  devnet.node.mine(devnet.minerWallet);
  await passOn(devnet.node.chain.height - 1);
  await pop(1);
  expect(devnet.node.pool.all).toHaveLength(3);
  await expectOnePoolAround('get_block_template', 'one block');
  await pop(40);
  await expectOnePoolAround('get_miner_data', 'forty blocks');
  await expectOnePoolAround('get_block_template', 'forty blocks');
  const { block } = devnet.node.template(devnet.minerWallet).parsed;
  await bothRpc('submit_block', `["${bytesToHex(serializeBlock(block))}"]`);
  await expectOnePoolAround('get_block_template', 'a new block');
  await pop(1000);
  await expectOnePoolAround('get_block_template', 'all blocks');
  const [ours, theirs] = (await bothJson('get_transaction_pool_stats', '{}')) as { pool_stats: { num_failing: number } }[];
  expect(ours!.pool_stats.num_failing).toBe(theirs!.pool_stats.num_failing);
});

it('a branch that began on a block that was taken off has no templates, and blocks on it are orphans', async () => {
  const { chain } = both.devnet.node;
  await mine(4);
  const branch = blockOn(chain.blockAt(chain.height - 3)!.id);
  await branch.submit();
  const next = blockOn(branch.id);
  await pop(3);
  await expectNothingOn(branch, next);
});

it('nor has one whose first block would be the newest now, until the chain is longer again', async () => {
  const { chain } = both.devnet.node;
  await mine(1);
  const branch = blockOn(chain.blockAt(chain.height - 2)!.id);
  await branch.submit();
  const next = blockOn(branch.id);
  await pop(1);
  await expectNothingOn(branch, next);
  await mine(1);
  const [taken, theirs] = await next.submit();
  expect(taken).toEqual(theirs);
  const [ours, height] = await both.bothJson('get_height', '{}');
  expect(ours).toEqual(height);
  expect(ours).toMatchObject({ hash: next.id });
});
