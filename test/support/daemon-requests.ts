/** Requests for every call of a daemon, in good and bad forms: what two daemons are asked to compare what they say. */

/** One request. `params` is the JSON text of what the call is given; without it nothing is sent. */
export interface DaemonQuestion {
  readonly kind: 'rpc' | 'path';
  readonly name: string;
  readonly params?: string;
}

/** What of a chain the good forms name: both daemons have it. */
export interface KnownChain {
  /** Number of blocks. */
  readonly height: number;
  readonly top: string;
  /** A block in the middle, its height, and a transaction in it that is no coinbase one. */
  readonly block: string;
  readonly blockHeight: number;
  readonly transaction: string;
  readonly coinbase: string;
  readonly genesisCoinbase: string;
  /** Spent by that transaction. */
  readonly keyImage: string;
  readonly address: string;
  readonly subaddress: string;
  readonly integrated: string;
  readonly foreign: string;
  readonly hashingBlob: string;
  readonly blockBlob: string;
}

type Kind = 'uint' | 'int' | 'text' | 'bool' | 'uints' | 'texts' | 'objects' | 'object';

interface Call {
  readonly kind: 'rpc' | 'path';
  readonly names: readonly string[];
  /** Fields with the type that they want. */
  readonly fields?: Readonly<Record<string, Kind>>;
  readonly good: readonly string[];
}

const WRONG: Readonly<Record<Kind, readonly string[]>> = {
  uint: ['-1', '"5"', '"x"', '1.5', 'true', 'null', '{}', '[]', '18446744073709551616', '""'],
  int: ['"5"', '"x"', '1.5', 'true', 'null', '{}', '[1]', '9223372036854775808'],
  text: ['5', 'null', 'true', '[]', '{}', '-1'],
  bool: ['1', '0', '2', '"true"', 'null', '{}', '-1'],
  uints: ['{}', '"x"', '[null]', '["5"]', '[1.5]', '[-1]', '5', '[true]', '[[]]', '[1,"a"]'],
  texts: ['{}', '"x"', '[null]', '[5]', '[true]', '5', '[{}]', '["a",5]'],
  objects: ['{}', '"x"', '[5]', '["a"]', '5', '[null]', '[[]]'],
  object: ['[]', '"x"', '5', 'null'],
};

/** Every call with what it is asked. Those that change something come in {@link changingCalls}. */
function readingCalls(known: KnownChain): readonly Call[] {
  const q = (text: string) => JSON.stringify(text);
  const zero = q('00'.repeat(32));
  const bogus = q('ab'.repeat(32));
  const fill = { fill_pow_hash: 'bool' } as const;
  return [
    { kind: 'rpc', names: ['get_block_count', 'getblockcount'], good: ['', '{}', '{"unknown":1}', '[]'] },
    {
      kind: 'rpc',
      names: ['on_get_block_hash', 'on_getblockhash'],
      good: [
        '[0]',
        '[1]',
        `[${known.height - 1}]`,
        `[${known.height}]`,
        '[1,2]',
        '[]',
        '',
        '{}',
        '["1"]',
        '[-1]',
        '[1.5]',
        '[true]',
        '[null]',
      ],
    },
    {
      kind: 'rpc',
      names: ['get_block_template', 'getblocktemplate'],
      fields: { wallet_address: 'text', reserve_size: 'uint', prev_block: 'text', extra_nonce: 'text' },
      good: [
        '',
        '{}',
        '{"wallet_address":"4","reserve_size":1}',
        `{"wallet_address":${q(known.subaddress)},"reserve_size":1}`,
        `{"wallet_address":${q(known.foreign)},"reserve_size":1}`,
        `{"wallet_address":${q(known.address)},"reserve_size":256}`,
        `{"wallet_address":${q(known.address)},"reserve_size":1,"extra_nonce":"00"}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0,"extra_nonce":"zz"}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0,"extra_nonce":"${'00'.repeat(256)}"}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0,"prev_block":"zz"}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0,"prev_block":${bogus}}`,
        `{"wallet_address":${q(known.address)},"reserve_size":8}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0}`,
        `{"wallet_address":${q(known.address)},"reserve_size":0,"extra_nonce":"0102"}`,
        `{"wallet_address":${q(known.address)},"reserve_size":255}`,
        `{"wallet_address":${q(known.address)},"reserve_size":128}`,
        `{"wallet_address":${q(known.address)},"reserve_size":1,"prev_block":${q(known.top)}}`,
        `{"wallet_address":${q(known.integrated)},"reserve_size":1}`,
      ],
    },
    { kind: 'rpc', names: ['get_miner_data'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['calc_pow'],
      fields: { major_version: 'uint', height: 'uint', block_blob: 'text', seed_hash: 'text' },
      good: [
        '',
        '{}',
        '{"major_version":1,"height":1,"block_blob":"zz","seed_hash":""}',
        `{"major_version":16,"height":1,"block_blob":${q(known.blockBlob)},"seed_hash":"zz"}`,
        `{"major_version":16,"height":1,"block_blob":"00","seed_hash":${zero}}`,
        `{"major_version":1,"height":1,"block_blob":${q(known.blockBlob)},"seed_hash":${zero}}`,
        `{"major_version":7,"height":100,"block_blob":${q(known.blockBlob)},"seed_hash":${zero}}`,
        `{"major_version":8,"height":100,"block_blob":${q(known.blockBlob)},"seed_hash":${zero}}`,
      ],
    },
    {
      kind: 'rpc',
      names: ['add_aux_pow'],
      fields: { blocktemplate_blob: 'text', aux_pow: 'objects' },
      good: [
        '',
        '{}',
        '{"blocktemplate_blob":"zz","aux_pow":[]}',
        '{"blocktemplate_blob":"00","aux_pow":[]}',
        `{"blocktemplate_blob":"00","aux_pow":[{"id":${zero},"hash":${zero}}]}`,
        `{"blocktemplate_blob":"zz","aux_pow":[{"id":${zero},"hash":${zero}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${zero},"hash":${zero}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${bogus},"hash":${bogus}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":"zz","hash":${zero}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${bogus},"hash":"00"}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${bogus},"hash":${bogus}},{"id":${bogus},"hash":${zero}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${bogus},"hash":${bogus}},{"id":${q('cd'.repeat(32))},"hash":${zero}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[{"id":${bogus},"hash":${bogus}},{"id":${q('cd'.repeat(32))},"hash":${zero}},{"id":${q('ef'.repeat(32))},"hash":${q('01'.repeat(32))}},{"id":${q('12'.repeat(32))},"hash":${q('02'.repeat(32))}}]}`,
        `{"blocktemplate_blob":${q(known.blockBlob)},"aux_pow":[]}`,
      ],
    },
    {
      kind: 'rpc',
      names: ['submit_block', 'submitblock'],
      good: [
        '',
        '{}',
        '[]',
        '["00"]',
        '["zz"]',
        '[""]',
        '["00","00"]',
        '[5]',
        '[null]',
        `[${q(known.blockBlob)}]`,
        `[${q(known.blockBlob.slice(0, -2))}]`,
      ],
    },
    {
      kind: 'rpc',
      names: ['get_last_block_header', 'getlastblockheader'],
      fields: fill,
      good: ['', '{}', '{"fill_pow_hash":false}'],
    },
    {
      kind: 'rpc',
      names: ['get_block_header_by_hash', 'getblockheaderbyhash'],
      fields: { hash: 'text', hashes: 'texts', ...fill },
      good: [
        '',
        '{}',
        '{"hash":""}',
        '{"hash":"zz"}',
        '{"hash":"00"}',
        `{"hash":${zero}}`,
        `{"hash":${q(known.block)}}`,
        `{"hashes":[${q(known.block)},${q(known.top)}]}`,
        `{"hash":${q(known.top)},"hashes":[${q(known.block)}]}`,
        `{"hashes":["zz"]}`,
        `{"hashes":[${zero}]}`,
        `{"hash":${q(known.block.toUpperCase())}}`,
        '{"hashes":[]}',
      ],
    },
    {
      kind: 'rpc',
      names: ['get_block_header_by_height', 'getblockheaderbyheight'],
      fields: { height: 'uint', ...fill },
      good: [
        '',
        '{}',
        '{"height":0}',
        '{"height":1}',
        `{"height":${known.height - 1}}`,
        `{"height":${known.height}}`,
        '{"height":18446744073709551615}',
        '{"height":9007199254740993}',
      ],
    },
    {
      kind: 'rpc',
      names: ['get_block_headers_range', 'getblockheadersrange'],
      fields: { start_height: 'uint', end_height: 'uint', ...fill },
      good: [
        '',
        '{}',
        '{"start_height":1,"end_height":5}',
        '{"start_height":5,"end_height":1}',
        '{"start_height":0,"end_height":0}',
        `{"start_height":0,"end_height":${known.height}}`,
        `{"start_height":${known.height - 3},"end_height":${known.height - 1}}`,
        '{"start_height":18446744073709551615,"end_height":18446744073709551615}',
      ],
    },
    {
      kind: 'rpc',
      names: ['get_block', 'getblock'],
      fields: { height: 'uint', hash: 'text', ...fill },
      good: [
        '',
        '{}',
        '{"height":0}',
        `{"height":${known.blockHeight}}`,
        `{"hash":${q(known.block)}}`,
        `{"hash":${q(known.top)},"height":3}`,
        '{"hash":"zz"}',
        `{"hash":${zero}}`,
        `{"height":${known.height}}`,
        '{"hash":"0011"}',
      ],
    },
    { kind: 'rpc', names: ['get_connections'], good: ['', '{}'] },
    { kind: 'rpc', names: ['get_info'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['hard_fork_info'],
      fields: { version: 'uint' },
      good: [
        '',
        '{}',
        '{"version":0}',
        '{"version":1}',
        '{"version":2}',
        '{"version":14}',
        '{"version":15}',
        '{"version":16}',
        '{"version":17}',
        '{"version":255}',
        '{"version":256}',
      ],
    },
    { kind: 'rpc', names: ['get_bans'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['banned'],
      fields: { address: 'text' },
      good: [
        '',
        '{}',
        '{"address":"1.2.3.4"}',
        '{"address":"x"}',
        '{"address":""}',
        '{"address":"::1"}',
        '{"address":"10.0.0.0/8"}',
        '{"address":"abc.onion"}',
      ],
    },
    {
      kind: 'rpc',
      names: ['get_output_histogram'],
      fields: { amounts: 'uints', min_count: 'uint', max_count: 'uint', unlocked: 'bool', recent_cutoff: 'uint' },
      good: [
        '',
        '{}',
        '{"amounts":[0]}',
        '{"amounts":[0],"unlocked":true}',
        '{"amounts":[0],"recent_cutoff":1}',
        '{"amounts":[17592186044415]}',
        '{"amounts":[5]}',
        '{"min_count":2}',
        '{"max_count":2}',
        '{"min_count":2,"max_count":1000}',
        '{"amounts":[0,17592186044415,7],"unlocked":true}',
        '{"amounts":[0,0]}',
        '{"amounts":[7],"min_count":1}',
        '{"recent_cutoff":4000000000}',
        '{"unlocked":true}',
      ],
    },
    { kind: 'rpc', names: ['get_version'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['get_coinbase_tx_sum'],
      fields: { height: 'uint', count: 'uint' },
      good: [
        '',
        '{}',
        '{"height":0,"count":1}',
        '{"height":1,"count":10}',
        `{"height":0,"count":${known.height}}`,
        `{"height":0,"count":${known.height + 5}}`,
        `{"height":${known.height},"count":1}`,
        `{"height":${known.height + 9},"count":1}`,
        '{"height":0,"count":0}',
        '{"height":5,"count":0}',
        `{"height":${known.height},"count":0}`,
      ],
    },
    {
      kind: 'rpc',
      names: ['get_fee_estimate'],
      fields: { grace_blocks: 'uint' },
      good: [
        '',
        '{}',
        '{"grace_blocks":1}',
        '{"grace_blocks":10}',
        '{"grace_blocks":99}',
        '{"grace_blocks":100}',
        '{"grace_blocks":1000}',
      ],
    },
    { kind: 'rpc', names: ['get_alternate_chains'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['relay_tx'],
      fields: { txids: 'texts' },
      good: [
        '',
        '{}',
        '{"txids":[]}',
        `{"txids":[${zero}]}`,
        '{"txids":["zz"]}',
        '{"txids":["00"]}',
        `{"txids":["zz",${zero}]}`,
        `{"txids":[${q(known.transaction)}]}`,
        `{"txids":[${zero},${bogus}]}`,
      ],
    },
    { kind: 'rpc', names: ['sync_info'], good: ['', '{}'] },
    { kind: 'rpc', names: ['get_txpool_backlog'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['get_output_distribution'],
      fields: { amounts: 'uints', cumulative: 'bool', from_height: 'uint', to_height: 'uint', binary: 'bool', compress: 'bool' },
      good: [
        '',
        '{}',
        '{"amounts":[0]}',
        '{"amounts":[0],"binary":false}',
        '{"amounts":[0],"binary":false,"cumulative":true}',
        '{"amounts":[0],"compress":true}',
        '{"amounts":[0],"compress":true,"binary":false}',
        '{"amounts":[],"binary":false}',
        '{"amounts":[5],"binary":false}',
        '{"amounts":[17592186044415],"binary":false}',
        '{"amounts":[17592186044415],"binary":false,"from_height":2,"to_height":4}',
        '{"amounts":[0],"binary":false,"from_height":10,"to_height":20}',
        '{"amounts":[0],"binary":false,"from_height":10,"to_height":20,"cumulative":true}',
        '{"amounts":[0],"binary":false,"from_height":20,"to_height":10}',
        `{"amounts":[0],"from_height":${known.height}}`,
        `{"amounts":[0],"from_height":0,"to_height":${known.height}}`,
        `{"amounts":[0],"binary":false,"to_height":${known.height - 1}}`,
        '{"amounts":[0,0],"binary":false}',
      ],
    },
    { kind: 'rpc', names: ['prune_blockchain'], fields: { check: 'bool' }, good: ['{"check":true}'] },
    {
      kind: 'rpc',
      names: ['flush_cache'],
      fields: { bad_txs: 'bool', bad_blocks: 'bool' },
      good: ['', '{}', '{"bad_txs":true}', '{"bad_blocks":true}', '{"bad_txs":true,"bad_blocks":true}'],
    },
    {
      kind: 'rpc',
      names: ['get_txids_loose'],
      fields: { txid_template: 'text', num_matching_bits: 'uint' },
      good: [
        '',
        '{}',
        `{"txid_template":${q(known.transaction)},"num_matching_bits":256}`,
        `{"txid_template":${zero},"num_matching_bits":0}`,
        `{"txid_template":"zz","num_matching_bits":0}`,
        `{"txid_template":${zero},"num_matching_bits":257}`,
        `{"txid_template":${q(known.transaction)},"num_matching_bits":20}`,
      ],
    },
    {
      kind: 'rpc',
      names: ['rpc_access_info'],
      fields: { client: 'text' },
      good: ['', '{}', '{"client":"x"}', `{"client":${q('ab'.repeat(104))}}`],
    },
    {
      kind: 'rpc',
      names: ['rpc_access_submit_nonce'],
      fields: { client: 'text', nonce: 'uint', cookie: 'uint' },
      good: ['', '{}', '{"client":"x","nonce":1,"cookie":1}'],
    },
    {
      kind: 'rpc',
      names: ['rpc_access_pay'],
      fields: { client: 'text', paying_for: 'text', payment: 'uint' },
      good: ['', '{}', '{"client":"x","paying_for":"y","payment":1}'],
    },
    { kind: 'rpc', names: ['rpc_access_tracking'], fields: { clear: 'bool' }, good: ['{"clear":true}', '', '{}'] },
    { kind: 'rpc', names: ['rpc_access_data'], good: ['', '{}'] },
    {
      kind: 'rpc',
      names: ['rpc_access_account'],
      fields: { client: 'text', delta_balance: 'int' },
      good: ['', '{}', '{"client":"x"}'],
    },
    { kind: 'rpc', names: ['no_such_method', '', 'getinfo', 'get_height'], good: ['', '{}'] },

    { kind: 'path', names: ['get_height', 'getheight'], good: ['', '{}', '[]', 'x', '{"a":', '5', '"x"', 'null'] },
    { kind: 'path', names: ['get_info', 'getinfo'], good: ['', '{}'] },
    {
      kind: 'path',
      names: [
        'get_blocks.bin',
        'getblocks.bin',
        'get_blocks_by_height.bin',
        'getblocks_by_height.bin',
        'get_hashes.bin',
        'gethashes.bin',
        'get_o_indexes.bin',
        'get_outs.bin',
        'get_output_distribution.bin',
      ],
      good: ['', '{}', 'x'],
    },
    {
      kind: 'path',
      names: ['get_outs'],
      fields: { outputs: 'objects', get_txid: 'bool' },
      good: [
        '',
        '{}',
        '{"outputs":[]}',
        '{"outputs":[{"amount":0,"index":1}]}',
        '{"outputs":[{"amount":0,"index":1},{"amount":0,"index":60}],"get_txid":true}',
        '{"outputs":[{"amount":0,"index":100000}]}',
        '{"outputs":[{"amount":17592186044415,"index":0}],"get_txid":true}',
        '{"outputs":[{"amount":5,"index":0}]}',
        '{"outputs":[{"index":1}]}',
        '{"outputs":[{"amount":0}]}',
        '{"outputs":[{"amount":"0","index":1}]}',
        '{"outputs":[{}]}',
        '{"outputs":[{"amount":-1,"index":0}]}',
      ],
    },
    {
      kind: 'path',
      names: ['get_transactions', 'gettransactions'],
      fields: { txs_hashes: 'texts', decode_as_json: 'bool', prune: 'bool', split: 'bool' },
      good: [
        '',
        '{}',
        '{"txs_hashes":[]}',
        '{"txs_hashes":["zz"]}',
        '{"txs_hashes":["00"]}',
        `{"txs_hashes":[${zero}]}`,
        `{"txs_hashes":[${q(known.transaction)}]}`,
        `{"txs_hashes":[${q(known.transaction)},${q(known.transaction)}]}`,
        `{"txs_hashes":[${q(known.coinbase)},${zero},${q(known.genesisCoinbase)}],"decode_as_json":true}`,
        `{"txs_hashes":[${q(known.transaction)}],"prune":true}`,
        `{"txs_hashes":[${q(known.transaction)}],"split":true}`,
        `{"txs_hashes":[${q(known.transaction)}],"prune":true,"split":true,"decode_as_json":true}`,
        `{"txs_hashes":[${q(known.transaction)}],"decode_as_json":true}`,
        `{"txs_hashes":[${q(known.transaction.toUpperCase())}]}`,
      ],
    },
    { kind: 'path', names: ['get_alt_blocks_hashes'], good: ['', '{}'] },
    {
      kind: 'path',
      names: ['is_key_image_spent'],
      fields: { key_images: 'texts' },
      good: [
        '',
        '{}',
        '{"key_images":[]}',
        `{"key_images":[${q(known.keyImage)}]}`,
        `{"key_images":[${zero},${q(known.keyImage)}]}`,
        '{"key_images":["zz"]}',
        '{"key_images":["00"]}',
        `{"key_images":[${q(known.keyImage)},"zz"]}`,
      ],
    },
    {
      kind: 'path',
      names: ['send_raw_transaction', 'sendrawtransaction'],
      fields: { tx_as_hex: 'text', do_not_relay: 'bool', do_sanity_checks: 'bool' },
      good: [
        '',
        '{}',
        '{"tx_as_hex":""}',
        '{"tx_as_hex":"zz"}',
        '{"tx_as_hex":"00"}',
        '{"tx_as_hex":"00","do_sanity_checks":false}',
        '{"tx_as_hex":"","do_sanity_checks":false}',
        '{"tx_as_hex":"0"}',
      ],
    },
    { kind: 'path', names: ['mining_status'], good: ['', '{}'] },
    { kind: 'path', names: ['stop_mining'], good: ['', '{}'] },
    {
      kind: 'path',
      names: ['start_mining'],
      fields: { miner_address: 'text', threads_count: 'uint', do_background_mining: 'bool', ignore_battery: 'bool' },
      good: [
        '',
        '{}',
        '{"miner_address":"x","threads_count":1}',
        `{"miner_address":${q(known.subaddress)},"threads_count":1}`,
        `{"miner_address":${q(known.address)},"threads_count":10000}`,
        `{"miner_address":${q(known.foreign)},"threads_count":1}`,
      ],
    },
    { kind: 'path', names: ['save_bc'], good: ['', '{}'] },
    {
      kind: 'path',
      names: ['get_peer_list'],
      fields: { public_only: 'bool', include_blocked: 'bool' },
      good: ['', '{}', '{"public_only":false}', '{"public_only":true,"include_blocked":true}'],
    },
    {
      kind: 'path',
      names: ['get_public_nodes'],
      fields: { gray: 'bool', white: 'bool', include_blocked: 'bool' },
      good: ['', '{}', '{"gray":true,"white":false}'],
    },
    {
      kind: 'path',
      names: ['set_log_hash_rate'],
      fields: { visible: 'bool' },
      good: ['', '{}', '{"visible":true}', '{"visible":false}'],
    },
    {
      kind: 'path',
      names: ['set_log_level'],
      fields: { level: 'int' },
      good: ['{"level":-1}', '{"level":5}', '{"level":1}', '{"level":0}'],
    },
    {
      kind: 'path',
      names: ['set_log_categories'],
      fields: { categories: 'text' },
      good: [
        '{"categories":"*:WARNING"}',
        '{"categories":""}',
        '{"categories":"+net:INFO"}',
        '{"categories":"*:INFO,net:FATAL"}',
        '{"categories":"-net:FATAL"}',
        '{"categories":"x"}',
        '{"categories":"*:BOGUS"}',
        '{"categories":"2"}',
        '{"categories":"0"}',
        '{}',
        '',
      ],
    },
    {
      kind: 'path',
      names: ['set_bootstrap_daemon'],
      fields: { address: 'text', username: 'text', password: 'text', proxy: 'text' },
      good: ['{"address":""}', '{}', ''],
    },
    {
      kind: 'path',
      names: [
        'get_transaction_pool',
        'get_transaction_pool_hashes',
        'get_transaction_pool_hashes.bin',
        'get_transaction_pool_stats',
      ],
      good: ['', '{}'],
    },
    { kind: 'path', names: ['get_limit'], good: ['', '{}'] },
    {
      kind: 'path',
      names: ['set_limit'],
      fields: { limit_down: 'int', limit_up: 'int' },
      good: [
        '',
        '{}',
        '{"limit_down":100,"limit_up":50}',
        '{"limit_down":0,"limit_up":0}',
        '{"limit_down":-1,"limit_up":-1}',
        '{"limit_down":-2,"limit_up":-1}',
        '{"limit_down":300}',
        '{"limit_up":7}',
        '{"limit_down":-1,"limit_up":-1}',
      ],
    },
    { kind: 'path', names: ['get_limit'], good: ['{}'] },
    {
      kind: 'path',
      names: ['out_peers'],
      fields: { out_peers: 'uint', set: 'bool' },
      good: [
        '{"set":false}',
        '{"out_peers":5}',
        '{"set":false,"out_peers":9}',
        '{"out_peers":0}',
        '{"out_peers":4294967295}',
        '{"out_peers":4294967296}',
        '{"out_peers":12}',
        '{"set":false}',
      ],
    },
    {
      kind: 'path',
      names: ['in_peers'],
      fields: { in_peers: 'uint', set: 'bool' },
      good: [
        '{"set":false}',
        '{"in_peers":5}',
        '{"set":false,"in_peers":9}',
        '{"in_peers":0}',
        '{"in_peers":4294967295}',
        '{"in_peers":4294967296}',
        '{"in_peers":12}',
        '{"set":false}',
      ],
    },
    { kind: 'path', names: ['start_save_graph', 'stop_save_graph', 'no_such_path', ''], good: ['', '{}'] },
    {
      kind: 'path',
      names: ['update'],
      fields: { command: 'text', path: 'text' },
      good: ['{"command":"check"}', '{"command":"x"}', '', '{}', '{"command":"download"}', '{"command":"update"}'],
    },
    {
      kind: 'path',
      names: ['pop_blocks'],
      fields: { nblocks: 'uint' },
      good: ['{"nblocks":0}', '{"nblocks":18446744073709551616}'],
    },
  ];
}

const BANS: readonly Call[] = [
  {
    kind: 'rpc',
    names: ['set_bans'],
    fields: { bans: 'objects' },
    good: [
      '',
      '{}',
      '{"bans":[]}',
      '{"bans":[{"host":"1.2.3.4","ban":true,"seconds":1000}]}',
      '{"bans":[{"ip":16909061,"ban":true,"seconds":50}]}',
      '{"bans":[{"host":"x","ban":true,"seconds":5}]}',
      '{"bans":[{"host":"10.0.0.0/8","ban":true,"seconds":7}]}',
      '{"bans":[{"host":"9.9.9.9"}]}',
      '{"bans":[{"host":"9.9.9.9","seconds":"x"}]}',
      '{"bans":[{"ban":true}]}',
      '{"bans":[{"host":"1.2.3.5","ban":true}]}',
      '{"bans":[{"host":"::1","ban":true,"seconds":90}]}',
      '{"bans":[{"host":"300.1.1.1","ban":true,"seconds":90}]}',
    ],
  },
  { kind: 'rpc', names: ['get_bans'], good: ['{}'] },
  {
    kind: 'rpc',
    names: ['banned'],
    good: [
      '{"address":"1.2.3.4"}',
      '{"address":"10.1.2.3"}',
      '{"address":"9.9.9.9"}',
      '{"address":"1.2.3.5"}',
      '{"address":"5.4.2.1"}',
      '{"address":"5.2.2.1"}',
      '{"address":"1.2.4.5"}',
      '{"address":"5.4.2.1"}',
    ],
  },
  {
    kind: 'rpc',
    names: ['set_bans'],
    good: ['{"bans":[{"host":"1.2.3.4","ban":false,"seconds":10},{"host":"10.0.0.0/8","ban":false}]}'],
  },
  { kind: 'rpc', names: ['get_bans'], good: ['{}'] },
  { kind: 'rpc', names: ['banned'], good: ['{"address":"1.2.3.4"}', '{"address":"10.1.2.3"}'] },
];

const POOL: readonly Call[] = [
  {
    kind: 'rpc',
    names: ['flush_txpool'],
    fields: { txids: 'texts' },
    good: ['', '{}', '{"txids":["zz"]}', '{"txids":["00"]}', `{"txids":["${'00'.repeat(32)}"]}`, '{"txids":[]}'],
  },
  { kind: 'path', names: ['get_transaction_pool_stats'], good: ['{}'] },
];

function* questionsOf(calls: readonly Call[]): Generator<DaemonQuestion> {
  for (const { kind, names, fields = {}, good } of calls) {
    for (const name of names) for (const params of good) yield params === '' ? { kind, name } : { kind, name, params };
    const [name] = names as [string];
    for (const [field, type] of Object.entries(fields))
      for (const value of WRONG[type]) yield { kind, name, params: `{${JSON.stringify(field)}:${value}}` };
    if (kind === 'rpc') for (const params of ['5', '"x"', 'null', 'true', '[]']) yield { kind, name, params };
  }
}

/** What is asked while both daemons have one chain and an empty pool. The chain stays as it is. */
export function questionsFor(known: KnownChain): DaemonQuestion[] {
  return [...questionsOf([...readingCalls(known), ...BANS, ...POOL])];
}
