import type { FaultName } from '@/tests/soak/faults';

/** How long, how much at least and how faulty; the same seed draws the same faults and the same users' choices. */
export type SoakOptions = {
  seconds: number;
  seed: number;
  /** It goes on past its time until these are reached. */
  atLeast: {
    uploads: number;
    jobs: number;
    saves: number;
    exports: number;
    faults: Partial<Record<FaultName, number>>;
  };
  log: (line: string) => void;
};

/** What was accepted while it ran: the clients' side of the books. */
export type Ledger = {
  uploads: { id: string; sections: number }[];
  /** `runs`: how many were asked for in all. */
  jobs: { id: string; runs: number; cancelAsked: boolean }[];
  /** Every save that was answered: the version it became and the words it wrote. */
  saves: { version: number; words: string }[];
  /** Saves without an answer: they may have been kept or not. */
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

/** What every user of the soak gets. */
export type Shift = {
  ledger: Ledger;
  random: () => number;
  /** True until the time is up and enough has been done. */
  goesOn: () => boolean;
};
