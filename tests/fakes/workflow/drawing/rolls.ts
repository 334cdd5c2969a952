import { createHash } from 'node:crypto';
import { seededRandom } from '@/tests/fakes/workflow/modes';

/** Returns numbers in [0, 1) that depend on the given parts alone. */
export type Rolls = () => number;

/** A repeatable source of numbers: the same parts give the same sequence. */
export function rollsFrom(...parts: (string | number)[]): Rolls {
  return seededRandom(hash32(...parts));
}

/** A whole number below 2 ** 32 that depends on the parts. */
export function hash32(...parts: (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}

/** A number between two bounds. */
export function between(roll: Rolls, low: number, high: number): number {
  return low + roll() * (high - low);
}
