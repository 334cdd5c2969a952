import { createHash } from 'node:crypto';
import { seededRandom } from '@/tests/fakes/workflow/modes';

/** Returns the next number of a repeatable sequence in [0, 1). */
export type Rolls = () => number;

/** Creates a repeatable source of numbers: the same parts give the same sequence. */
export function rollsFrom(...parts: (string | number)[]): Rolls {
  return seededRandom(hash32(...parts));
}

/** Returns an integer in [0, 2 ** 32) that depends only on the parts. */
export function hash32(...parts: (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}

/** Returns a number between two bounds. */
export function between(roll: Rolls, low: number, high: number): number {
  return low + roll() * (high - low);
}
