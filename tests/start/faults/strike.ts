import { inParallel, poll } from '@/tests/app/support/poll';
import { type Open, openWork, type WorkflowRecords } from '@/tests/soak/end-all';
import { ageFiles, orphansOf } from '@/tests/soak/invariants/orphans';
import type { Harness } from '@/tests/start/faults/product';
import { canceledExport, type Kind, type Subject, waitingExport } from '@/tests/start/faults/subjects';
import type { Choice, Gate, Hold, Side } from '@/tests/start/support/gate';

/** A point in the processing of a subject at which a fault is injected. */
export type Step = {
  /** A noun phrase with which a sentence can begin, such as `a spec that is claimed`. */
  title: string;
  kind: Kind;
  /**
   * What brings the subject to the step: a client's request, a callback, or the work loop of the app or the worker.
   * `claim` is the worker's loop at the moment it claims the work.
   */
  by: 'request' | 'callback' | 'app' | 'worker' | 'claim';
  side: Side;
  /** Selects the request that is held at the step. */
  at: Choice;
};

/** A subject that a gate holds at its step. */
export type HeldSubject = {
  step: Step;
  subject: Subject;
  /**
   * If a client's request brings the subject to the step, resolves once the client gets the expected response, and
   * rejects otherwise. For other steps, it is already resolved.
   */
  request: Promise<void>;
};

export type Outcome = {
  struck: Map<Step, HeldSubject>;
  /** Files without a database row, found after the fault. `killBrowsers` does not look for any. */
  orphans: string[];
  /** The error that names unfinished work; null if everything has finished. */
  stuck: Error | null;
};

/** Selects the requests that call this database function. */
export const rpc =
  (name: string): Choice =>
  (_, path) =>
    path.split('?')[0] === `/rest/v1/rpc/${name}`;
export const isTrigger: Choice = (method, path) => method === 'POST' && /^\/(spec|image)$/.test(path);
const isClaim = rpc('work_claim');

function gateOf({ product: { gates } }: Harness, { by, at }: Step): Gate {
  if (at === isTrigger) return gates.workflow;
  return by === 'worker' || by === 'claim' ? gates.worker : gates.app;
}

function holdAt(harness: Harness, step: Step, { markers }: Subject): Hold {
  const isAbout: Choice = (_, path, body) =>
    markers.some((each) => path.includes(each) || body.includes(each));
  const choice: Choice = (...request) => step.at(...request) && (step.by === 'claim' || isAbout(...request));
  return gateOf(harness, step).hold(choice, { side: step.side, atMost: 1 });
}

const everything: Choice = () => true;

/** Waits for a condition, polling often. */
export const waitFor = (what: string, isMet: () => Promise<boolean>) => poll(what, isMet, { everyMs: 10 });

/** Prevents every process from claiming work; a claim in progress completes first. */
export async function preventClaims({ product: { gates } }: Harness): Promise<{ app: Hold; worker: Hold }> {
  const doors = { app: gates.app.hold(isClaim), worker: gates.worker.hold(isClaim) };
  const areClear = async () => gates.app.isClear(isClaim) && gates.worker.isClear(isClaim);
  await waitFor('no claim is under way', areClear);
  return doors;
}

const isStored: Choice = (_, path) => path.startsWith('/storage/v1/object/exports/');

/** Returns the number of runs that the workflow service is working on or has yet to report. */
async function underWay({ product }: Harness): Promise<number> {
  const records = (await (await fetch(`${product.workflowUrl}/control`)).json()) as WorkflowRecords;
  return records.counts.underWay;
}

/**
 * Creates the subject of each step and brings the subject to the step. In the result, `struck` maps each step to its
 * subject, and `gone` lists the steps whose gate no longer holds the subject. Does the slow parts first, because a held
 * request may time out after ten seconds.
 */
async function tryToBring(
  harness: Harness,
  steps: readonly Step[],
): Promise<{ struck: Map<Step, HeldSubject>; gone: Step[] }> {
  const { sql, product } = harness;
  const { gates } = product;
  const struck = new Map<Step, HeldSubject>();
  const subjectOf = (step: Step) => {
    const subject = struck.get(step)?.subject;
    if (!subject) throw new Error(`${step.title}: there is no subject`);
    return subject;
  };
  const make = async (step: Step) => {
    struck.set(step, { step, subject: await step.kind(harness), request: Promise.resolve() });
  };
  const makeInOrder = async (those: Step[]) => {
    for (const step of those) await make(step);
  };
  const holds = new Map<Step, Hold>();
  const hold = (step: Step) => holds.set(step, holdAt(harness, step, subjectOf(step)));
  const isThere = (step: Step) => holds.get(step)?.waiting() === 1;
  const areThere = async (those: readonly Step[]) => {
    for (const step of those) await waitFor(step.title, async () => holds.get(step)?.held() === 1);
  };
  const of = (by: Step['by'], isExport = false) =>
    steps.filter((step) => step.by === by && (step.kind === waitingExport) === isExport);

  // Create the subjects that client requests bring to their steps. Leave out the exports to be canceled for now,
  // because a process would claim them too early.
  const requests = of('request');
  const early = requests.filter(({ kind }) => kind !== canceledExport);
  await inParallel(early, 8, make);

  // Hold all callbacks at their gate.
  const callbacks = of('callback');
  const inbox = gates.callbacks.hold(everything);
  await Promise.all(callbacks.map(make));
  await waitFor('the callbacks have arrived', async () => inbox.waiting() === callbacks.length);

  // Let each process print its own exports. Hold the exports of the app at their steps, and the exports of the worker
  // before they are stored.
  const doors = await preventClaims(harness);
  const nearly = gates.worker.hold(isStored);
  for (const process of ['worker', 'app'] as const) {
    const exports = of(process, true);
    await makeInOrder(exports);
    exports.forEach(hold);
    doors[process].release();
    if (process === 'app') await areThere(exports);
    else await waitFor('the exports are about to be stored', async () => nearly.waiting() === exports.length);
    doors[process] = gates[process].hold(isClaim);
    await waitFor('no claim is under way', async () => gates[process].isClear(isClaim));
  }

  // Create the work to be claimed. The app's items are not due until the worker has claimed its own.
  const claimed = of('claim');
  const work = of('app');
  await makeInOrder(work);
  await sql`update private.work_items set visible_at = now() + interval '1 hour'
             where subject_id = any (${work.map((step) => subjectOf(step).markers[0] ?? '')})`;
  await makeInOrder([...claimed, ...requests.filter(({ kind }) => kind === canceledExport)]);

  // Bring all subjects to their steps.
  for (const step of [...callbacks, ...claimed, ...work, ...requests]) hold(step);
  doors.worker.release();
  await areThere(claimed);
  // On a slow machine, the held claim times out. Keep the worker from then claiming the app's items.
  gates.worker.hold(isClaim);
  await sql`update private.work_items set visible_at = now()
             where subject_id = any (${work.map((step) => subjectOf(step).markers[0] ?? '')})`;
  doors.app.release();
  inbox.release();
  const outside = gates.callbacks.hold(
    (_, __, body) => !callbacks.some((step) => subjectOf(step).markers.some((each) => body.includes(each))),
  );
  nearly.release();
  for (const step of requests) {
    const each = struck.get(step);
    if (!each?.subject.ask) throw new Error(`${step.title}: there is nothing to ask for`);
    each.request = each.subject.ask();
    // Prevent an unhandled rejection. The error is reported when the outcome is checked.
    each.request.catch(() => {});
  }
  await areThere(steps);
  // The fault does not target the workflow service, so wait until the service has nothing left to do but report
  // results.
  const isDone = async () => (await underWay(harness)) <= outside.waiting() + callbacks.length;
  await waitFor('the workflow service is ready to report', isDone);
  gates.callbacks.hold(everything);
  return { struck, gone: steps.filter((step) => !isThere(step)) };
}

async function bringToSteps(harness: Harness, steps: readonly Step[]): Promise<Map<Step, HeldSubject>> {
  try {
    for (let tries = 1; ; tries += 1) {
      const { struck, gone } = await tryToBring(harness, steps);
      if (gone.length === 0) return struck;
      if (tries === 5)
        throw new Error(`Given up before the fault: ${gone.map(({ title }) => title).join(', ')}`);
      // On a slow machine, a held request may time out before the other subjects have reached their steps. In this
      // case, let all requests finish, and start again.
      openGates(harness);
      await Promise.allSettled([...struck.values()].map(({ request }) => request));
      await untilAllEnded(harness);
    }
  } catch (error) {
    // The next fault must start with nothing held and must not wait for the subjects of this one.
    openGates(harness);
    for (const { id } of await openWork(harness.sql)) harness.stuck.add(id);
    throw error;
  }
}

/**
 * Expires all leases, because killed processes cannot release theirs, and disconnected processes may fail to report.
 */
export async function endLeases({ sql }: Harness): Promise<void> {
  await sql`update private.work_items set visible_at = now() where state = 'pending'`;
}

/** Makes the app poll for work at once instead of at its next interval. */
async function tick({ product, api }: Harness): Promise<void> {
  const headers = { authorization: `Bearer ${product.env.CRON_SECRET}` };
  await api('/api/cron/tick', { method: 'POST', headers }).catch(() => {});
}

/**
 * Waits until all accepted work has finished, except for subjects that have one of the given ids or are in `stuck`. If
 * work is unfinished after the time limit of `poll`, adds it to `stuck` and throws an error that names it.
 */
export async function untilAllEnded(harness: Harness, except: readonly string[] = []): Promise<void> {
  const { sql } = harness;
  let left: Open[] = [];
  let ticking = false;
  const look = async () => {
    // End all back-offs.
    await sql`update private.work_items set visible_at = now()
               where state = 'pending' and lease_token is null and visible_at > now()`;
    if (!ticking) {
      ticking = true;
      void tick(harness).then(() => {
        ticking = false;
      });
    }
    left = (await openWork(sql)).filter(({ id }) => !except.includes(id) && !harness.stuck.has(id));
    return left.length === 0 && (await underWay(harness)) === 0;
  };
  await poll('all work ends', look).catch((error: Error) => {
    for (const { id } of left) harness.stuck.add(id);
    const named = left.map((each) => Object.values(each).join(' '));
    throw new Error(`${error.message}; open: ${named.join(', ')}`, { cause: error.cause });
  });
}

/** Opens all gates, which releases everything they hold. */
function openGates({ product }: Harness): void {
  for (const gate of Object.values(product.gates)) gate.release();
}

async function outcomeOf(
  harness: Harness,
  struck: Map<Step, HeldSubject>,
  orphans: string[],
): Promise<Outcome> {
  await Promise.allSettled([...struck.values()].map(({ request }) => request));
  const stuck = await untilAllEnded(harness).then(
    () => null,
    (error: Error) => error,
  );
  return { struck, orphans, stuck };
}

/**
 * Kills the app and the worker, then restarts only the app. Before the restart, backdates the folders of exports and
 * the files that have no row, so that the app sweeps both.
 */
export async function killWork(harness: Harness, steps: readonly Step[]): Promise<Outcome> {
  const { product, sql } = harness;
  const struck = await bringToSteps(harness, steps);
  await product.killWork();
  for (const gate of [product.gates.app, product.gates.worker, product.gates.workflow]) gate.cut();
  const orphans = await orphansOf(sql);
  await ageFiles(sql, orphans);
  await product.ageFolders(await product.exportFolders());
  await endLeases(harness);
  await product.restartApp();
  product.gates.callbacks.release();
  return outcomeOf(harness, struck, orphans);
}

/** Kills the backend and its Postgres, which breaks every connection to them, and restarts the backend. */
export async function killBackend(harness: Harness, steps: readonly Step[]): Promise<Outcome> {
  const { product, sql } = harness;
  const struck = await bringToSteps(harness, steps);
  await product.killBackend();
  for (const gate of [product.gates.app, product.gates.worker]) gate.cut();
  await product.startBackend();
  await endLeases(harness);
  openGates(harness);
  const outcome = await outcomeOf(harness, struck, []);
  return { ...outcome, orphans: await orphansOf(sql) };
}

/** Brings the subjects to their steps, kills all browsers, and returns the outcome. */
export async function killBrowsers(harness: Harness, steps: readonly Step[]): Promise<Outcome> {
  const struck = await bringToSteps(harness, steps);
  await harness.product.killBrowsers();
  openGates(harness);
  return outcomeOf(harness, struck, []);
}
