import { HttpResponse } from 'msw';
import { refusal } from '@/tests/fakes/workflow/signed-trigger';
import { choosePlan, type FakeState, type Plan, record } from '@/tests/fakes/workflow/state';

export type TriggerSubject = {
  type: string;
  id: string;
  attempt: number;
  /** Id of the trigger's subject: the spec upload or the image job. */
  subject: string;
  /** Free text that may contain a `[mode]` tag. */
  name: string | null;
  run: number;
  /** The `data` of an image trigger, without its signed URLs. */
  asked?: Record<string, unknown>;
};

/**
 * Responds to a verified trigger as its mode prescribes. Unless the mode refuses the trigger, also starts the work in
 * the background. Only in the mode `fast` does the response wait for the work. A trigger whose id was already accepted
 * gets 202 but starts no work.
 */
export async function respondToTrigger(
  state: FakeState,
  trigger: TriggerSubject,
  closed: AbortSignal,
  work: (plan: Plan, signal: AbortSignal) => Promise<void>,
): Promise<Response> {
  const duplicate = state.accepted.has(trigger.id);
  const plan = duplicate ? null : choosePlan(state, trigger.subject, trigger.name, trigger.run);
  const { name: _, ...seen } = trigger;
  record(state.triggers, { at: new Date().toISOString(), ...seen, mode: plan?.mode ?? 'duplicate' });
  state.counts.triggers += 1;
  state.log(`${trigger.type} ${trigger.subject} run ${trigger.run}: ${plan?.mode ?? 'duplicate'}`);
  if (!plan) return accepted(true);

  const refused = await refuseByMode(state, trigger.id, plan, closed);
  if (refused) return refused;
  state.accepted.set(trigger.id, true);
  const done = runInBackground(state, trigger, (signal) => work(plan, signal));
  if (plan.mode === 'fast') await done;
  return plan.mode === 'lost-response' ? HttpResponse.error() : accepted(false);
}

async function refuseByMode(
  state: FakeState,
  id: string,
  plan: Plan,
  closed: AbortSignal,
): Promise<Response | null> {
  switch (plan.mode) {
    case 'refuse':
      return refusal(422, 'this workflow does not take such files');
    case 'broken':
      return refusal(500, 'the workflow service is broken');
    case 'unavailable':
      return refusal(503, 'the workflow service is being updated', { 'retry-after': '1' });
    case 'reset':
      return HttpResponse.error();
    case 'hang':
      await aborted(AbortSignal.any([closed, state.abort.signal]));
      return HttpResponse.error();
    case 'flaky':
      return countFailedAttempt(state, id) < plan.times
        ? refusal(500, 'the workflow service stumbled')
        : null;
    case 'restarting':
      return respondWhileRestarting(countFailedAttempt(state, id));
    default:
      return null;
  }
}

/** Adds one to the failed attempts of a trigger id and returns the previous number. */
function countFailedAttempt(state: FakeState, id: string): number {
  const before = state.stumbles.get(id) ?? 0;
  state.stumbles.set(id, before + 1);
  return before;
}

/**
 * Responds like n8n during a restart. At first, the port is closed. Then n8n responds that it is starting up. After
 * that, it returns 404, because its workflows are not loaded yet. Returns null once the restart is over.
 */
function respondWhileRestarting(before: number): Response | null {
  if (before === 0) return HttpResponse.error();
  if (before === 1) return HttpResponse.text('The server is starting up. Please wait');
  return before < 4 ? refusal(404, 'there is no workflow at this URL') : null;
}

async function runInBackground(
  state: FakeState,
  trigger: TriggerSubject,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { counts, abort } = state;
  counts.underWay += 1;
  try {
    await work(abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) state.log(`${trigger.type} ${trigger.subject}: ${String(error)}`);
  } finally {
    counts.underWay -= 1;
  }
}

function accepted(duplicate: boolean): Response {
  return HttpResponse.json({ accepted: true, duplicate }, { status: 202 });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
