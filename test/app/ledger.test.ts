import { describe, expect, it } from 'vitest';
import {
  amountOnLedger,
  hasChange,
  hasTouchScreen,
  questionsToSign,
  readableFingerprint,
} from '../../src/app/services/ledger.ts';

describe('a Ledger’s own words', () => {
  it('writes amounts as the recorded screens have them', () => {
    expect(amountOnLedger(1_000_000_000_000n)).toBe('1. XMR');
    expect(amountOnLedger(250_000_000_000n)).toBe('0.25 XMR');
    expect(amountOnLedger(1_808_400_000n)).toBe('0.0018084 XMR');
    expect(amountOnLedger(0n)).toBe('0 XMR');
    // Cut off where the app has no more room.
    expect(amountOnLedger(35_931_470_899_960n)).toBe('35.93147089996 XMR');
    expect(amountOnLedger(135_931_470_899_960n)).toBe('135.9314708999 XMR');
  });

  it('knows what returns, which screens touch, and reads a fingerprint out', () => {
    const transaction = { fee: 1n, weight: 1, amount: 1n, change: 0n, inputs: 2, outputs: 2, destinations: [] as never[] };
    expect(hasChange({ ...transaction, destinations: [{}] as never })).toBe(true);
    expect(hasChange({ ...transaction, destinations: [{}, {}] as never })).toBe(false);
    expect(['Ledger Stax', 'Flex', 'Apex P', 'Nano S Plus', 'Nano X'].map(hasTouchScreen)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(readableFingerprint('0a1b2c3d')).toBe('0A1B 2C3D');
  });

  it('measures progress by about as many questions as there are: 107 of two inputs and two outputs', () => {
    const usual = { fee: 1n, weight: 1, amount: 1n, change: 1n, inputs: 2, outputs: 2, destinations: [{}] as never };
    expect(Math.abs(questionsToSign(usual) - 107)).toBeLessThan(12);
  });
});
