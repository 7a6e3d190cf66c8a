import type { Flags } from '../flags.ts';
import { SERVICE_FLAGS } from '../service-flags.ts';

const NO_PEERS = 'no effect: there are no peers; --follow keeps one chain with other nodes';
const NOBODY_TO_JOIN = 'not supported: there are no peers to join; use --follow';
const ONE_PROCESS = 'no effect: one thread checks blocks';
const NO_DNS = 'no effect: no DNS is asked';
const NOT_PAID = 'not supported: nobody is paid for calls';
const NO_IDLING = 'no effect: the miner hashes at the rate that it was given';
const NO_ZMQ_RPC = 'no effect: there is no ZMQ RPC; --zmq-pub publishes';

/** Flags of our own. */
const OWN: Flags = {
  port: { value: 'number', text: 'the same as --rpc-bind-port' },
  'block-time': { value: 'seconds', text: 'time between blocks (default 4; 0 makes blocks on demand only)' },
  empty: { text: 'begin with the genesis block alone, without a history' },
  network: { value: 'name', text: 'regtest (default), testnet or stagenet: genesis block, addresses and ports; the rules stay' },
  follow: { value: 'url', many: true, text: 'keep chain and pool with that node, or with several; name:password@ logs in' },
  'hash-rate': { value: 'number', text: 'start_mining hashes so often a second and thread (default: blocks by the clock)' },
  'allow-unlock-times': { text: 'take payments with an unlock time, as daemons before 0.18.5 did' },
  'allow-origin': { value: 'origin', text: 'the same as --rpc-access-control-origins' },
};

/** Further flags of monerod 0.18.5.3 that do here what they do there. */
const SERVED: Flags = {
  'log-file': { value: 'file', text: 'the log, beside the standard output (default: none)' },
  'data-dir': { value: 'folder', text: 'keep the chain there (default: in memory)' },
  testnet: { text: 'the same as --network testnet' },
  stagenet: { text: 'the same as --network stagenet' },
  regtest: { text: 'the same as --network regtest' },
  'fixed-difficulty': { value: 'number', text: 'of every block; 0 follows the times of blocks (default 1 on regtest, else 0)' },
  offline: { text: 'nobody is followed' },
  'max-txpool-weight': { value: 'bytes', text: 'weight of all that may wait (default 648000000)' },
  'block-notify': { value: 'command', text: "run for each new block, '%s' is its id; no shell" },
  'reorg-notify': {
    value: 'command',
    text: "run for each reorganisation: '%s' height of the split, '%h' new height, '%n' blocks that came, '%d' blocks that left; no shell",
  },
  'prune-blockchain': { text: 'prune the chain' },
  'start-mining': { value: 'address', text: 'mine to it from the start' },
  'mining-threads': { value: 'number', text: 'with --start-mining (default 1)' },
  'bg-mining-enable': { text: 'with --start-mining: say so in mining_status' },
  'zmq-pub': { value: 'address', many: true, text: 'publish blocks and transactions there: tcp://ip:port or ipc://path' },
  'no-zmq': { text: 'publish nothing, whatever --zmq-pub says' },
  'in-peers': { value: 'number', text: 'kept, told and changed by in_peers; there are none' },
  'out-peers': { value: 'number', text: 'kept, told and changed by out_peers; there are none' },
  'limit-rate-up': { value: 'kB/s', text: 'kept, told and changed by set_limit; nothing is held back' },
  'limit-rate-down': { value: 'kB/s', text: 'kept, told and changed by set_limit; nothing is held back' },
  'limit-rate': { value: 'kB/s', text: 'both of them' },
  'bootstrap-daemon-address': { value: 'url', text: 'kept, told and changed by set_bootstrap_daemon; nobody is asked there' },
  'rpc-bind-port': { value: 'number', text: 'default 18081, testnet 28081, stagenet 38081; 0 takes a free one' },
  'restricted-rpc': { text: 'the port is restricted as a public node is' },
  'rpc-restricted-bind-port': { value: 'number', text: 'a second port, restricted as a public node is (0 takes a free one)' },
  'rpc-restricted-bind-ip': { value: 'address', text: 'its address (default 127.0.0.1)' },
  'rpc-restricted-bind-ipv6-address': { value: 'address', text: 'its IPv6 address (default ::1)' },
  'rpc-login': { value: 'name:password', text: 'what callers log in with' },
  'rpc-ssl-allow-any-cert': { text: 'clients may show any certificate' },
  'rpc-response-soft-limit': { value: 'bytes', text: 'of replies that may wait for a client (default 26214400)' },
};

/** Flags of monerod 0.18.5.3 that are taken and change nothing. */
const WITHOUT_EFFECT: Flags = {
  'non-interactive': { text: 'no effect: nothing is asked' },
  'keep-fakechain': { text: 'no effect: what is in --data-dir is kept' },
  'keep-alt-blocks': { text: 'no effect: what is in --data-dir is kept' },
  'max-concurrency': { value: 'threads', text: ONE_PROCESS },
  'prep-blocks-threads': { value: 'threads', text: ONE_PROCESS },
  'fast-block-sync': { value: 'number', text: 'no effect: every block is checked' },
  'show-time-stats': { value: 'number', text: 'no effect: rpc_access_tracking tells times' },
  'block-sync-size': { value: 'number', text: NO_PEERS },
  'block-download-max-size': { value: 'bytes', text: NO_PEERS },
  'sync-pruned-blocks': { text: NO_PEERS },
  'no-sync': { text: NO_PEERS },
  'check-updates': { value: 'mode', text: 'no effect: no release is looked for' },
  'fluffy-blocks': { text: NO_PEERS },
  'test-dbg-lock-sleep': { value: 'milliseconds', text: 'no effect: there are no locks' },
  'enforce-dns-checkpointing': { text: NO_DNS },
  'disable-dns-checkpoints': { text: NO_DNS },
  'enable-dns-blocklist': { text: NO_DNS },
  'db-sync-mode': { value: 'mode', text: 'no effect: a block is on disk before anybody hears of it' },
  'db-salvage': { text: 'no effect: a torn end is cut off at every start' },
  'bg-mining-ignore-battery': { text: NO_IDLING },
  'bg-mining-min-idle-interval': { value: 'seconds', text: NO_IDLING },
  'bg-mining-idle-threshold': { value: 'percent', text: NO_IDLING },
  'bg-mining-miner-target': { value: 'percent', text: NO_IDLING },
  'zmq-rpc-bind-ip': { value: 'address', text: NO_ZMQ_RPC },
  'zmq-rpc-bind-port': { value: 'number', text: NO_ZMQ_RPC },
  'confirm-zmq-rpc-external-bind': { text: NO_ZMQ_RPC },
  'restricted-zmq-rpc': { text: NO_ZMQ_RPC },
  'p2p-bind-ip': { value: 'address', text: NO_PEERS },
  'p2p-bind-ipv6-address': { value: 'address', text: NO_PEERS },
  'p2p-bind-port': { value: 'number', text: NO_PEERS },
  'p2p-bind-port-ipv6': { value: 'number', text: NO_PEERS },
  'p2p-use-ipv6': { text: NO_PEERS },
  'p2p-ignore-ipv4': { text: NO_PEERS },
  'p2p-external-port': { value: 'number', text: NO_PEERS },
  'allow-local-ip': { text: NO_PEERS },
  'hide-my-port': { text: NO_PEERS },
  'no-igd': { text: NO_PEERS },
  igd: { value: 'mode', text: NO_PEERS },
  'tos-flag': { value: 'number', text: NO_PEERS },
  'pad-transactions': { text: NO_PEERS },
  'max-connections-per-ip': { value: 'number', text: NO_PEERS },
  'ban-list': { value: 'file', text: 'no effect: there are no peers to ban' },
  'disable-rpc-ban': { text: 'no effect: nobody is banned' },
  'bootstrap-daemon-login': { value: 'name:password', text: 'no effect: no other node is asked' },
  'bootstrap-daemon-proxy': { value: 'address', text: 'no effect: no other node is asked' },
};

/** Flags of monerod 0.18.5.3 that are refused by name: to ignore them would do something else than was asked for. */
const REFUSED: Flags = {
  'os-version': { text: 'not supported: see node --version' },
  proxy: { value: 'address', text: 'not supported: no proxy is on the way to a node that is followed' },
  'proxy-allow-dns-leaks': { text: 'not supported: no proxy is on the way to a node that is followed' },
  'tx-proxy': { value: 'address', text: NOBODY_TO_JOIN },
  'anonymous-inbound': { value: 'address', text: NOBODY_TO_JOIN },
  'public-node': { text: 'not supported: there is no network to tell; use --restricted-rpc' },
  'add-peer': { value: 'address', many: true, text: NOBODY_TO_JOIN },
  'add-priority-node': { value: 'address', many: true, text: NOBODY_TO_JOIN },
  'add-exclusive-node': { value: 'address', many: true, text: NOBODY_TO_JOIN },
  'seed-node': { value: 'address', many: true, text: NOBODY_TO_JOIN },
  'test-drop-download': { text: 'not supported: every block is kept' },
  'test-drop-download-height': { value: 'number', text: 'not supported: every block is kept' },
  'extra-messages-file': { value: 'file', text: 'not supported: coinbases hold no messages' },
  'block-rate-notify': { value: 'command', text: 'not supported: a test chain has no rate to watch' },
  'rpc-payment-address': { value: 'address', text: NOT_PAID },
  'rpc-payment-difficulty': { value: 'number', text: NOT_PAID },
  'rpc-payment-credits': { value: 'number', text: NOT_PAID },
  'rpc-payment-allow-free-loopback': { text: NOT_PAID },
};

/** Flags of `nightjar devnet`: ours, and every one of monerod 0.18.5.3. */
export const FLAGS: Flags = { ...OWN, ...SERVICE_FLAGS, ...SERVED, ...WITHOUT_EFFECT, ...REFUSED };
