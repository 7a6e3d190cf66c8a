import { ERA, SURGE_FACTOR } from './rules.ts';

/** Weights that limit blocks, which follow the chain since version 15 (blockchain.cpp). */

const ZONE = ERA.fullRewardZone;

/** A block's weight as it counts for the long-term median: within a factor of 1.7 of that median. */
export function longTermWeight(weight: number, longTermMedian: number): number {
  const effective = Math.max(ZONE, longTermMedian);
  const atLeast = Math.floor((effective * 10) / 17);
  const atMost = effective + Math.floor((effective * 7) / 10);
  return Math.min(Math.max(weight, atLeast), atMost);
}

/** The median that limits the next block's weight: the short-term one, at least the long-term one and at most 50 times it. */
export function effectiveMedian(shortTermMedian: number, longTermMedian: number): number {
  const longTerm = Math.max(ZONE, longTermMedian);
  return Math.min(Math.max(longTerm, shortTermMedian), SURGE_FACTOR * longTerm);
}
