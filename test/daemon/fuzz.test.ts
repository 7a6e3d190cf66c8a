import { describe } from 'vitest';
import { bytesToLatin1 } from '../../src/base/index.ts';
import { BlocksOutline } from '../../src/daemon/calls/blocks-outline.ts';
import { DaemonError } from '../../src/daemon/index.ts';
import { daemonBase } from '../../src/daemon/transport/address.ts';
import { parseChallenge } from '../../src/daemon/transport/digest.ts';
import { addressInRecord, dnsName } from '../../src/openalias/record.ts';
import { type FuzzTarget, fuzzEach, fuzzRuns } from '../protocol/support/fuzz.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { reply } from './replies.ts';

const SEED = 20_260_404;

const sampler = new TestSampler(SEED);
const utf8 = new TextEncoder();
const texts = (...items: string[]) => items.map((item) => utf8.encode(item));

const targets: readonly FuzzTarget[] = [
  {
    name: 'a blocks reply, cut anywhere',
    refusal: DaemonError,
    corpus: [reply([2, 1, 0]), reply([])],
    decode: (bytes) => {
      const outline = new BlocksOutline('/get_blocks.bin');
      outline.follow(bytes.subarray(0, sampler.below(bytes.length + 1)));
      outline.follow(bytes);
      outline.finish();
    },
  },
  {
    name: 'a digest challenge',
    total: true,
    corpus: texts(
      'Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="x==",stale=false, Digest qop="auth",algorithm=MD5-sess,nonce="y"',
      'Basic realm="a, b", Digest algorithm=MD5,nonce="y\\"z",realm="a, b"',
    ),
    decode: (bytes) => void parseChallenge(bytesToLatin1(bytes)),
  },
  {
    name: "a daemon's address",
    refusal: DaemonError,
    corpus: texts('http://127.0.0.1:18081', 'node.example:18089', 'https://[::1]:18081/daemon/', '/daemon'),
    decode: (bytes) => {
      const base = daemonBase(bytesToLatin1(bytes), new URL('http://wallet.example/app/'));
      if (!/^https?:$/.test(base.protocol) || base.username !== '') throw new Error(`took ${base.href}`);
    },
  },
  {
    name: 'an OpenAlias name and record',
    total: true,
    corpus: texts(
      'someone@example.org',
      'dön.example.org.',
      `oa1:xmr recipient_address=${'4'.repeat(95)}; recipient_name=Someone;`,
    ),
    decode: (bytes) => {
      const text = new TextDecoder().decode(bytes);
      const name = dnsName(text);
      if (name !== undefined && !/^[a-z0-9_.-]{1,253}$/.test(name)) throw new Error(`took ${name}`);
      const address = addressInRecord(text);
      if (address !== undefined && address.length !== 95 && address.length !== 106) throw new Error(`took ${address}`);
    },
  },
];

describe('T6 what a stranger sends by the network', () => {
  fuzzEach(targets, fuzzRuns(3_000), SEED);
});
