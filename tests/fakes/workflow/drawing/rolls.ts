import { createHash } from 'node:crypto';
import { seededRandom } from '@/tests/fakes/workflow/modes';

/** Returns the next number of a repeatable sequence in [0, 1). */
export type Rolls = () => number;

/** Creates a repeatable generator of numbers in [0, 1): the same parts give the same sequence. */
export function rollsFrom(...parts: (string | number)[]): Rolls {
  return seededRandom(hash32(...parts));
}

/** Hashes the parts to an integer in [0, 2 ** 32). */
export function hash32(...parts: (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE(0);
}

/** Returns a number in [low, high), drawn with `roll`. */
export function between(roll: Rolls, low: number, high: number): number {
  return low + roll() * (high - low);
}
