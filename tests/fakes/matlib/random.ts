import { createHash } from 'node:crypto';
import { seededRandom } from '@/tests/fakes/workflow/modes';

/** A repeatable source of random choices: `randomFor` always returns the same sequence for the same name. */
export type Random = {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `low` to `high`, inclusive. */
  int(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  /** Returns up to `count` different elements, in their original order. */
  some<T>(from: readonly T[], count: number): T[];
  chance(share: number): boolean;
  shuffle<T>(given: readonly T[]): T[];
};

export function hexHash(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

export function randomFor(name: string): Random {
  const next = seededRandom(Number.parseInt(hexHash(name).slice(0, 8), 16));
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const shuffle = <T>(given: readonly T[]) =>
    given
      .map((value) => ({ value, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  return {
    next,
    int,
    pick: (from) => {
      const picked = from[int(0, from.length - 1)];
      if (picked === undefined) throw new RangeError('nothing to pick from');
      return picked;
    },
    some: (from, count) => {
      const chosen = new Set(shuffle(from).slice(0, count));
      return from.filter((value) => chosen.has(value));
    },
    chance: (share) => next() < share,
    shuffle,
  };
}
