import { setTimeout as sleep } from 'node:timers/promises';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { newAdmin } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { seededRandom, type Weights } from '@/tests/fakes/workflow/modes';
import { endAll, type WorkflowRecords } from '@/tests/soak/end-all';
import { type FaultName, injectFaults } from '@/tests/soak/faults';
import { expectCompletePages } from '@/tests/soak/invariants/documents';
import { expectCompleteExports } from '@/tests/soak/invariants/exports';
import { expectCompleteJobs } from '@/tests/soak/invariants/images';
import { sweepOrphans } from '@/tests/soak/invariants/orphans';
import { expectCompleteSpecs } from '@/tests/soak/invariants/specs';
import { emptyLedger, type Ledger, type SoakOptions, type UserOptions } from '@/tests/soak/options';
import { startProduct } from '@/tests/soak/product';
import { uploadSpecs } from '@/tests/soak/users/admin';
import { workOnDocuments } from '@/tests/soak/users/designer';
import { startJobs } from '@/tests/soak/users/project-user';

/**
 * Of 100 triggers, 30 get an error response or no response, 8 lead to a failed result, and 12 lead to results that are
 * repeated, contradictory or preceded by a callback that is not JSON. The mode of each attempt is picked separately.
 */
const weights: Weights = {
  ok: 50,
  fail: 8,
  twice: 6,
  conflict: 3,
  garbage: 3,
  flaky: 8,
  unavailable: 9,
  reset: 8,
  'lost-response': 4,
  hang: 1,
};
const faultyModes = ['flaky', 'unavailable', 'reset', 'lost-response', 'hang'];

export type SoakReport = {
  ledger: Ledger;
  faults: Record<FaultName, number>;
  completed: { specs: number; jobs: number; exports: number };
  /** Of all triggers, the share whose mode makes the workflow service respond with an error or not at all. */
  faultyTriggers: number;
  /** Number of files that killed processes left without a row and that the sweep removed. */
  swept: number;
  /** Messages about violated invariants, failures of simulated users or of fault injection, and leftover processes. */
  violations: string[];
};

/**
 * Runs simulated admins, project users and designers while the app, worker, backend, browser and workflow service are
 * killed or frozen at random. Then waits for all accepted work to finish, and checks that the database and storage
 * match the responses that the users got: nothing is lost, duplicated or stuck, and the sweep removes all files without
 * a row.
 */
export async function runSoak({ seconds, seed, atLeast, log }: SoakOptions): Promise<SoakReport> {
  const product = await startProduct();
  const { atelier } = product;
  const { url, env } = atelier;
  const sql = openDatabase(atelier.databaseUrl);
  const violations: string[] = [];
  const ledger = emptyLedger();
  const faults: Record<FaultName, number> = {
    'kill app': 0,
    'kill worker': 0,
    'kill browser': 0,
    'kill backend': 0,
    'freeze app': 0,
    'freeze backend': 0,
    'freeze workflow': 0,
  };
  /** Runs a check and returns its result. Records a failure as a violation and returns null. */
  const check = async <T>(what: string, run: () => Promise<T>): Promise<T | null> => {
    try {
      return await run();
    } catch (error) {
      violations.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  try {
    const api = apiAt(url, (await newAdmin(env)).headers);
    const projectId = await makeProject(api);
    const control = env.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '';
    const configureWorkflow = (behavior: object) =>
      fetch(control, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(behavior),
      });
    const workflow = async () => (await (await fetch(control)).json()) as WorkflowRecords;
    await configureWorkflow({ weights, seed, delayMs: 100, times: 1 });

    const until = Date.now() + seconds * 1_000;
    const enough = () =>
      ledger.uploads.length >= atLeast.uploads &&
      ledger.jobs.length >= atLeast.jobs &&
      ledger.saves.length >= atLeast.saves &&
      ledger.exports.length >= atLeast.exports &&
      Object.entries(atLeast.faults).every(([name, least]) => faults[name as FaultName] >= least);
    let failed = false;
    const goesOn = () => !failed && (Date.now() < until || !enough());
    // Each user has a separate random sequence, so the speed of one does not affect the choices of another.
    const shift = (n: number): UserOptions => ({ ledger, random: seededRandom(seed + n), goesOn });
    const telling = setInterval(() => log(progress(ledger, faults)), 30_000);
    const work = [
      ...[1, 2, 3].map((n) => uploadSpecs(api, shift(n))),
      ...[4, 5].map((n) => startJobs(api, projectId, shift(n))),
      ...[6, 7].map((n) => workOnDocuments(api, projectId, shift(n))),
      injectFaults(product, seededRandom(seed), goesOn, faults),
    ].map((each) =>
      each.catch((error: unknown) => {
        failed = true;
        violations.push(String(error));
      }),
    );
    await Promise.all(work);
    clearInterval(telling);
    log(`${progress(ledger, faults)}; waiting for all to end`);
    await configureWorkflow({ weights: { ok: 1 }, delayMs: 100 });
    // A save whose response was lost may still be in progress.
    await sleep(1_000);
    ledger.givenUp = (await check('everything ends', () => endAll(sql, workflow))) ?? new Set();

    const completed = {
      specs: (await check('specs', () => expectCompleteSpecs(sql, ledger))) ?? 0,
      jobs: (await check('image jobs', () => expectCompleteJobs(sql, ledger))) ?? 0,
      exports: 0,
    };
    await check('pages', () => expectCompletePages(sql, projectId, ledger));
    const swept = (await check('files', () => sweepOrphans(sql, product))) ?? 0;
    completed.exports = (await check('exports', () => expectCompleteExports(sql, env, ledger))) ?? 0;
    const { triggers } = await workflow();
    const faulty = triggers.filter(({ mode }) => faultyModes.includes(mode)).length;
    return {
      ledger,
      faults,
      completed,
      faultyTriggers: faulty / triggers.length,
      swept,
      violations,
    };
  } finally {
    await sql.end();
    const left = await product.stop();
    if (left.length > 0) violations.push(`processes left: ${left.join(', ')}`);
  }
}

export function progress(
  { uploads, jobs, saves, exports }: Ledger,
  faults: Record<FaultName, number>,
): string {
  const struck = Object.entries(faults).map(([name, n]) => `${n} × ${name}`);
  return `${uploads.length} uploads, ${jobs.length} image jobs, ${saves.length} saves, ${exports.length} exports; ${struck.join(', ')}`;
}
