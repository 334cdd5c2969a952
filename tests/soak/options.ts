import type { FaultName } from '@/tests/soak/faults';

/**
 * Duration, seed and minimum amounts of a soak. The same seed gives the same faults and the same choices by users.
 */
export type SoakOptions = {
  seconds: number;
  seed: number;
  /** The soak continues past its duration until these amounts are reached. */
  atLeast: {
    uploads: number;
    jobs: number;
    saves: number;
    exports: number;
    faults: Partial<Record<FaultName, number>>;
  };
  log: (line: string) => void;
};

/**
 * Everything that the product accepted, the saves with an unknown outcome, and what the workflow service gave up on.
 */
export type Ledger = {
  uploads: { id: string; sections: number }[];
  /** `runs` is the number of runs requested for the job, including the first. */
  jobs: { id: string; runs: number; cancelRequested: boolean }[];
  /** Saves that got a 200, with the version and text of each. */
  saves: { version: number; text: string }[];
  /** Texts of saves that got no response or a 5xx, and may or may not have been stored. */
  unansweredSaves: string[];
  exports: { id: string; text: string; pages: number; cancelRequested: boolean }[];
  /** Uploads and jobs whose callback the workflow service gave up on after its last try. */
  givenUp: ReadonlySet<string>;
};

export const emptyLedger = (): Ledger => ({
  uploads: [],
  jobs: [],
  saves: [],
  unansweredSaves: [],
  exports: [],
  givenUp: new Set(),
});

/** Parameters of a simulated user. */
export type UserOptions = {
  ledger: Ledger;
  random: () => number;
  /** Returns true until the time is up and the minimum amounts are reached, or until any part of the soak fails. */
  goesOn: () => boolean;
};
