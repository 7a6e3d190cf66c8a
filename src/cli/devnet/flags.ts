import { type Flags, flagsOf } from '../flags.ts';
import { SERVICE_FLAGS } from '../service-flags.ts';

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

/** Further flags of monerod 0.18.5.3 with the same effect here. */
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
  'limit-rate': { value: 'kB/s', text: 'both of them, where no other is given; -1 as the default' },
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

/** Flags of monerod 0.18.5.3 that are accepted without effect. */
const WITHOUT_EFFECT: Flags = {
  ...flagsOf('no effect: nothing is asked', 'non-interactive'),
  ...flagsOf('no effect: what is in --data-dir is kept', 'keep-fakechain keep-alt-blocks'),
  ...flagsOf('no effect: one thread checks blocks', 'max-concurrency=threads prep-blocks-threads=threads'),
  ...flagsOf('no effect: every block is checked', 'fast-block-sync=number'),
  ...flagsOf('no effect: rpc_access_tracking tells times', 'show-time-stats=number'),
  ...flagsOf('no effect: no release is looked for', 'check-updates=mode'),
  ...flagsOf('no effect: there are no locks', 'test-dbg-lock-sleep=milliseconds'),
  ...flagsOf('no effect: no DNS is asked', 'enforce-dns-checkpointing disable-dns-checkpoints enable-dns-blocklist'),
  ...flagsOf('no effect: a block is on disk before anybody hears of it', 'db-sync-mode=mode'),
  ...flagsOf('no effect: a torn end is cut off at every start', 'db-salvage'),
  ...flagsOf(
    'no effect: the miner hashes at the rate that it was given',
    'bg-mining-ignore-battery bg-mining-min-idle-interval=seconds bg-mining-idle-threshold=percent bg-mining-miner-target=percent',
  ),
  ...flagsOf(
    'no effect: there is no ZMQ RPC; --zmq-pub publishes',
    'zmq-rpc-bind-ip=address zmq-rpc-bind-port=number confirm-zmq-rpc-external-bind restricted-zmq-rpc',
  ),
  ...flagsOf(
    'no effect: there are no peers; --follow keeps one chain with other nodes',
    'block-sync-size=number block-download-max-size=bytes sync-pruned-blocks no-sync fluffy-blocks p2p-bind-ip=address',
    'p2p-bind-ipv6-address=address p2p-bind-port=number p2p-bind-port-ipv6=number p2p-use-ipv6 p2p-ignore-ipv4',
    'p2p-external-port=number allow-local-ip hide-my-port no-igd igd=mode tos-flag=number pad-transactions',
    'max-connections-per-ip=number',
  ),
  ...flagsOf('no effect: there are no peers to ban', 'ban-list=file'),
  ...flagsOf('no effect: nobody is banned', 'disable-rpc-ban'),
  ...flagsOf('no effect: no other node is asked', 'bootstrap-daemon-login=name:password bootstrap-daemon-proxy=address'),
};

/** Flags of monerod 0.18.5.3 that are refused by name: ignoring them would do something else than requested. */
const REFUSED: Flags = {
  ...flagsOf('not supported: see node --version', 'os-version'),
  ...flagsOf('not supported: no proxy is on the way to a node that is followed', 'proxy=address proxy-allow-dns-leaks'),
  ...flagsOf(
    'not supported: there are no peers to join; use --follow',
    'tx-proxy=address anonymous-inbound=address add-peer=address…',
    'add-priority-node=address… add-exclusive-node=address… seed-node=address…',
  ),
  ...flagsOf('not supported: there is no network to tell; use --restricted-rpc', 'public-node'),
  ...flagsOf('not supported: every block is kept', 'test-drop-download test-drop-download-height=number'),
  ...flagsOf('not supported: coinbases hold no messages', 'extra-messages-file=file'),
  ...flagsOf('not supported: a test chain has no rate to watch', 'block-rate-notify=command'),
  ...flagsOf(
    'not supported: nobody is paid for calls',
    'rpc-payment-address=address rpc-payment-difficulty=number rpc-payment-credits=number rpc-payment-allow-free-loopback',
  ),
};

/** Flags of `nightjar devnet`: our own, and all of monerod 0.18.5.3. */
export const FLAGS: Flags = { ...OWN, ...SERVICE_FLAGS, ...SERVED, ...WITHOUT_EFFECT, ...REFUSED };
