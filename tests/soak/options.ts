import type { FaultName } from '@/tests/soak/faults';

/**
 * The duration, minimum and faults of a soak; the same seed draws the same faults and the same choices of
 * users.
 */
export type SoakOptions = {
  seconds: number;
  seed: number;
  /** The soak continues past its time until these are reached. */
  atLeast: {
    uploads: number;
    jobs: number;
    saves: number;
    exports: number;
    faults: Partial<Record<FaultName, number>>;
  };
  log: (line: string) => void;
};

/** What was accepted during the soak, according to the clients. */
export type Ledger = {
  uploads: { id: string; sections: number }[];
  /** `runs`: how many runs were requested in all. */
  jobs: { id: string; runs: number; cancelAsked: boolean }[];
  /** Every save with a response: its version and its text. */
  saves: { version: number; words: string }[];
  /** Saves without a response: they may have been stored or not. */
  unansweredSaves: string[];
  exports: { id: string; words: string; pages: number; cancelAsked: boolean }[];
  /** Uploads and jobs with a callback that the workflow service gave up after its last try. */
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

/** The parameters of every user of the soak. */
export type UserOptions = {
  ledger: Ledger;
  random: () => number;
  /** Returns true until the time is up and the minimum is reached. */
  goesOn: () => boolean;
};
