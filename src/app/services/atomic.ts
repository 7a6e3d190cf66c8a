import type { AtomicAmount } from '../../protocol/model.ts';

/** {@link parseAmount} has checked the range already; this names what it found. */
export const toAtomic = (value: bigint): AtomicAmount => value as AtomicAmount;
