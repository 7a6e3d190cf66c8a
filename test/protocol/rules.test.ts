import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import {
  acceptsFee,
  addGenerated,
  adjustedTime,
  baseReward,
  blockReward,
  eraAtHeight,
  eraOf,
  feeEstimates,
  feeFromWeight,
  formatAmount,
  formatAmountShort,
  isUnlocked,
  MONEY_SUPPLY,
  makeUri,
  median,
  NEWEST_VERSION,
  neededFee,
  parseAmount,
  parseTransaction,
  parseUri,
  roundUpDigits,
} from '../../src/protocol/index.ts';
import { fixture } from './support/fixture.ts';

const code = (code: string) => expect.objectContaining({ code });

beforeAll(loadCrypto);

describe('amounts for people', () => {
  it('every amount is read as it was printed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        expect(parseAmount(formatAmount(amount))).toBe(amount);
        expect(parseAmount(formatAmountShort(amount))).toBe(amount);
      }),
    );
  });

  it.each([
    ['1.5', 1_500_000_000_000n],
    [' 0.000000000001 ', 1n],
    ['.5', 500_000_000_000n],
    ['7.', 7_000_000_000_000n],
    ['1.50000000000000000', 1_500_000_000_000n],
    ['18446744.073709551615', 2n ** 64n - 1n],
  ])('reads %j', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each([
    ['', 'empty'],
    ['-1', 'negative'],
    ['0.0000000000001', 'decimals'],
    ['1,5', 'number'],
    ['1.2.3', 'number'],
    ['.', 'number'],
    ['1e3', 'number'],
    ['0x10', 'number'],
    ['١', 'number'],
    ['18446744.073709551616', 'large'],
    ['9'.repeat(1000), 'large'],
  ])('refuses %j: %s', (text, reason) => {
    expect(() => parseAmount(text)).toThrow(expect.objectContaining({ code: 'bad-amount', data: { reason } }));
  });

  it('prints as the reference does, and short', () => {
    expect([formatAmount(0n), formatAmount(1n), formatAmount(-1_500_000_000_000n)]).toEqual([
      '0.000000000000',
      '0.000000000001',
      '-1.500000000000',
    ]);
    expect([0n, 10_000_000_000_000n, 1_500_000_000_000n, 1n].map(formatAmountShort)).toEqual([
      '0',
      '10',
      '1.5',
      '0.000000000001',
    ]);
  });
});

describe('payment URIs', () => {
  it.each(fixture.uris)('$uri is what the reference makes, and is read back', (sample) => {
    const { address, amount, recipientName, description } = sample;
    expect(makeUri({ address, amount, recipientName, description }, 'mainnet')).toBe(sample.uri);
    expect(parseUri(sample.uri, 'mainnet')).toMatchObject({ address, amount, recipientName, description, unknownParameters: [] });
  });

  it('every name and description is read as it was written', () => {
    const { address } = fixture;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ minLength: 1 }), (recipientName, description) => {
        expect(parseUri(makeUri({ address, recipientName, description }, 'mainnet'), 'mainnet')).toMatchObject({
          recipientName,
          description,
        });
      }),
    );
  });

  it('keeps what it does not know, and refuses what is wrong', () => {
    const uri = `monero:${fixture.address}`;
    expect(parseUri(`${uri}?tx_amount=1.5&x=y`, 'mainnet')).toMatchObject({
      amount: 1_500_000_000_000n,
      unknownParameters: ['x=y'],
    });
    expect(parseUri(`${uri}?tx_payment_id=${'AB'.repeat(32)}`, 'mainnet').paymentId).toBe('AB'.repeat(32));
    expect(parseUri(`${uri}?tx_description=100%&recipient_name=%zz%C3%A9`, 'mainnet')).toMatchObject({
      description: '100%',
      recipientName: '%zzé',
    });
    const faults: [string, string][] = [
      [fixture.address, 'bad-uri'],
      [`${uri}?tx_amount`, 'bad-uri'],
      [`${uri}?tx_amount=1&tx_amount=2`, 'bad-uri'],
      [`${uri}?tx_amount=1.0000000000001`, 'bad-amount'],
      [`${uri}?tx_payment_id=12`, 'bad-uri'],
      [`monero:${fixture.integrated}?tx_payment_id=${'ab'.repeat(32)}`, 'bad-uri'],
    ];
    for (const [text, expected] of faults) expect(() => parseUri(text, 'mainnet')).toThrow(code(expected));
    expect(() => parseUri(uri, 'stagenet')).toThrow(code('wrong-network'));
  });
});

describe('emission', () => {
  it('gives the rewards of the regtest chain', () => {
    let generated = fixture.blocks[0]!.reward;
    const fees = fixture.transactions.reduce((sum, { fee }) => sum + fee, 0n);
    const rewards = new Map<number, bigint>();
    for (let height = 1; height <= 401; height++) {
      rewards.set(height, baseReward(generated, eraOf(16)));
      generated = addGenerated(generated, baseReward(generated, eraOf(16)));
    }
    for (const { height, reward } of fixture.blocks.slice(1))
      expect(rewards.get(height)! + (height === 401 ? fees : 0n)).toBe(reward);
  });

  it('ends in the tail, and costs a share above the median', () => {
    expect(baseReward(MONEY_SUPPLY, eraOf(16))).toBe(600_000_000_000n);
    expect(baseReward(MONEY_SUPPLY, eraOf(1))).toBe(300_000_000_000n);
    expect(addGenerated(MONEY_SUPPLY - 1n, 600_000_000_000n)).toBe(MONEY_SUPPLY);
    const at = (weight: number) => blockReward(300_000, weight, MONEY_SUPPLY, eraOf(16));
    expect([at(0), at(300_000), at(450_000), at(600_000), at(600_001)]).toEqual([
      600_000_000_000n,
      600_000_000_000n,
      450_000_000_000n,
      0n,
      undefined,
    ]);
  });

  it('medians are rounded down', () => {
    expect([median([]), median([3]), median([9, 1, 5]), median([4, 1]), median([1, 2, 3, 10])]).toEqual([0, 3, 5, 2, 2]);
  });
});

describe('fees', () => {
  const regtestReward = fixture.blocks.find(({ height }) => height === 400)!.reward;

  it('are the daemon’s four estimates', () => {
    expect(feeEstimates(regtestReward, 300_000, 300_000, eraOf(16))).toEqual(fixture.feeEstimate);
    expect(feeEstimates(600_000_000_000n, 300_000, 300_000, eraOf(16))).toEqual([20_000n, 80_000n, 320_000n, 4_000_000n]);
  });

  it('the reference pays weight times rate, rounded up, and a node would take it', () => {
    for (const { fee, weight } of fixture.transactions) {
      const ratio = fee / BigInt(weight);
      expect(ratio).toBeGreaterThanOrEqual(fixture.feeEstimate[0]! - 1n);
      expect(fee % 10_000n).toBe(0n);
      expect(acceptsFee(fee, neededFee(weight, regtestReward, 300_000, eraOf(16)))).toBe(true);
    }
    expect(feeFromWeight(1_001, 20_001n)).toBe(20_030_000n);
  });

  it('a node lets 2% pass and no more', () => {
    const needed = neededFee(1_500, 600_000_000_000n, 300_000, eraOf(16));
    expect(needed).toBe(28_500_000n);
    expect([needed, needed - needed / 50n, needed - needed / 50n - 1n].map((fee) => acceptsFee(fee, needed))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are never nothing, and every version has its heaviest transaction', () => {
    expect(neededFee(20_000, 6n * 10n ** 11n, 50_000_000, eraOf(16))).toBe(20_000n);
    expect([1, 7, 16].map((version) => eraOf(version).maxWeight)).toEqual([19_400, 299_400, 149_400]);
    expect([99n, 1_001n, 9_901n].map(roundUpDigits)).toEqual([99n, 1_100n, 10_000n]);
  });
});

describe('T9 unlock times', () => {
  it('a height opens with the block before it', () => {
    expect([
      isUnlocked(0n, 0, 0),
      isUnlocked(100n, 99, 2e9),
      isUnlocked(100n, 100, 0),
      isUnlocked(499_999_999n, 3_000_000, 2e9),
    ]).toEqual([true, false, true, false]);
  });

  it('an unlock time is reached two minutes early', () => {
    const time = 1_700_000_000n;
    expect([isUnlocked(time, 1, 1_699_999_879), isUnlocked(time, 1, 1_699_999_880)]).toEqual([false, true]);
    expect(isUnlocked(2n ** 64n - 1n, 10 ** 9, 4e9)).toBe(false);
    expect(isUnlocked(500_000_000n, 10 ** 9, 0)).toBe(false);
  });

  it('the chain’s time is the earlier of the next block’s and the projected median', () => {
    const steady = Array.from({ length: 60 }, (_, i) => 1_000_000 + 120 * i);
    expect(adjustedTime(steady, 5)).toBe(steady[59]! + 120);
    expect(adjustedTime([...steady.slice(0, 59), 9_000_000], 5)).toBe(1_000_000 + 120 * 29 + 60 + 61 * 60);
    expect(adjustedTime(steady.slice(1), 5)).toBe(5);
  });
});

describe('eras', () => {
  it('T5 an unknown version stops with its number', () => {
    for (const version of [0, 17, 18, 255]) {
      expect(() => eraOf(version)).toThrow(expect.objectContaining({ code: 'unknown-era', data: { version, newest: 16 } }));
    }
  });

  it('today’s rules are those of the reference’s transactions', () => {
    const era = eraOf(NEWEST_VERSION);
    for (const { whole } of fixture.transactions) {
      const tx = parseTransaction(whole);
      expect(era.allowsOutputs(tx.outputs)).toBe(true);
      expect(tx.version === 2 && era.rctTypes.includes(tx.rct.type)).toBe(true);
      for (const input of tx.inputs) expect(input.type === 'key' && input.keyOffsets.length).toBe(era.ringSize.max);
      expect(eraOf(14).allowsOutputs(tx.outputs)).toBe(false);
      expect(eraOf(15).allowsOutputs([...tx.outputs, { ...tx.outputs[0]!, viewTag: undefined }])).toBe(false);
    }
  });

  it('start at their heights on each network', () => {
    for (const network of ['mainnet', 'stagenet', 'testnet'] as const) {
      for (let version = 2; version <= NEWEST_VERSION; version++) {
        const height = eraOf(version).firstHeight[network];
        expect(eraAtHeight(network, height).version).toBe(version);
        expect(eraAtHeight(network, height - 1).version).toBe(version - 1);
      }
      expect(eraAtHeight(network, 10 ** 9).version).toBe(NEWEST_VERSION);
    }
    expect([eraAtHeight('regtest', 0).version, eraAtHeight('regtest', 1).version]).toEqual([1, 16]);
  });

  it('change in the steps that the chain took', () => {
    const eras = Array.from({ length: NEWEST_VERSION }, (_, i) => eraOf(i + 1));
    expect(eras.map(({ ringSize }) => ringSize.min)).toEqual([1, 3, 3, 3, 3, 5, 7, 11, 11, 11, 11, 11, 11, 11, 11, 16]);
    expect(eras.map(({ rctTypes }) => rctTypes.join())).toEqual([
      '',
      '',
      '',
      '1,2',
      '1,2',
      '1,2',
      '1,2',
      '1,2,3',
      '3',
      '3,4',
      '4',
      '4',
      '4,5',
      '5',
      '5,6',
      '6',
    ]);
    expect(eras.filter(({ minOutputs }) => minOutputs === 2).map(({ version }) => version)).toEqual([12, 13, 14, 15, 16]);
  });
});
