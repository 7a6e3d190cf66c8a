import { beforeEach, expect, it, vi } from 'vitest';
import { UrEncoder, type UrType } from '../../../src/ur/index.ts';
import type { SetReview, UnsignedSet } from '../../../src/wallet/index.ts';

// One half's side of cold signing by codes, over a wallet that reads what it is told to.

vi.hoisted(() => vi.stubGlobal('self', globalThis));
const wallet = vi.hoisted(() => ({
  onLeave: vi.fn(),
  api: { offline: { reviewSigned: vi.fn(), submitSigned: vi.fn(async () => ['aa']) }, setFrozen: vi.fn() },
}));
vi.mock('../../../src/app/managers/wallet.svelte.ts', () => ({ wallet }));

const { ColdSigningFlow } = await import('../../../src/app/managers/codes.svelte.ts');

const PREPARED: SetReview = {
  recipients: [
    { address: '4a', amount: 5n },
    { address: '4b', amount: 7n },
  ],
  fee: 2n,
  change: 1n,
  transactions: 1,
  warnings: [],
};
const unsigned: UnsignedSet = { file: new Uint8Array(80).fill(1), review: PREPARED, coins: ['c0'] };

let flow: InstanceType<typeof ColdSigningFlow>;
beforeEach(() => {
  vi.clearAllMocks();
  flow = new ColdSigningFlow('view');
});

/** The camera sees all parts of a file. */
async function scanned(type: UrType): Promise<void> {
  flow.scan();
  const codes = new UrEncoder(type, new Uint8Array(90).fill(3), 60);
  for (let seqNum = 1; seqNum <= codes.count; seqNum++) flow.read(codes.part(seqNum));
  await vi.waitFor(() => expect(flow.step).not.toBe('reading'));
}

const signedFor = (review: Partial<SetReview>) => wallet.api.offline.reviewSigned.mockResolvedValue({ ...PREPARED, ...review });

it('what was prepared comes back signed: reviewed, whatever the order of its recipients, and sent', async () => {
  flow.showUnsigned(unsigned);
  signedFor({ recipients: [...PREPARED.recipients].reverse() });
  await scanned('xmr-txsigned');
  expect([flow.step, flow.problem]).toEqual(['review', undefined]);
  await flow.confirm();
  expect([flow.step, flow.sent, flow.unsigned]).toEqual(['sent', ['aa'], undefined]);
});

it.each([
  [
    'somebody else',
    {
      recipients: [
        { address: '4a', amount: 5n },
        { address: '4c', amount: 7n },
      ],
    },
  ],
  ['one more', { recipients: [...PREPARED.recipients, { address: '4c', amount: 1n }] }],
  ['nobody', { recipients: [] }],
  [
    'another amount',
    {
      recipients: [
        { address: '4a', amount: 5n },
        { address: '4b', amount: 8n },
      ],
    },
  ],
  ['another fee', { fee: 3n }],
] as const)('a half that signs for %s instead: said, back to what was shown, and nothing can be sent', async (_, review) => {
  flow.showUnsigned(unsigned);
  signedFor(review);
  await scanned('xmr-txsigned');
  expect([flow.step, flow.review]).toEqual(['show', undefined]);
  expect(flow.problem).toContain('something else than the payment you prepared here');
  await flow.confirm();
  expect(wallet.api.offline.submitSigned).not.toHaveBeenCalled();
});

it('once it was given up, an earlier payment is reviewed as any other', async () => {
  flow.showUnsigned(unsigned);
  await flow.giveUp();
  signedFor({ fee: 3n });
  await scanned('xmr-txsigned');
  expect(flow.step).toBe('review');
});
