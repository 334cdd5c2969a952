import type { FaultName } from '@/tests/soak/faults';

/**
 * The duration, minimum amounts and seed of a soak; the same seed gives the same faults and the same choices by users.
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

/** Everything that was accepted during the soak, according to the clients. */
export type Ledger = {
  uploads: { id: string; sections: number }[];
  /** `runs` is the total number of requested runs. */
  jobs: { id: string; runs: number; cancelRequested: boolean }[];
  /** Every save with a response: its version and its text. */
  saves: { version: number; text: string }[];
  /** The texts of saves without a response: these saves may or may not have been stored. */
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

/** The parameters that every simulated user of the soak gets. */
export type UserOptions = {
  ledger: Ledger;
  random: () => number;
  /** Returns true until the time is up and the minimum is reached. */
  goesOn: () => boolean;
};
