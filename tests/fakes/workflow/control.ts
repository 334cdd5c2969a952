import { HttpResponse, http } from 'msw';
import { z } from 'zod';
import { modeSchema, seededRandom } from '@/tests/fakes/workflow/modes';
import type { FakeState } from '@/tests/fakes/workflow/state';

const subjectId = z.string().min(1);
const controlSchema = z
  .strictObject({
    mode: modeSchema,
    weights: z.partialRecord(modeSchema, z.number().min(0)),
    seed: z.int(),
    delayMs: z.int().min(0).max(3_600_000),
    times: z.int().min(0),
    script: z.array(modeSchema).max(20),
    match: z.union([z.strictObject({ spec_upload_id: subjectId }), z.strictObject({ job_id: subjectId })]),
  })
  .partial()
  .refine(({ script, match }) => script === undefined || match !== undefined, {
    path: ['script'],
    message: 'needs a match',
  });

/**
 * Handles `/control`. `PUT` changes the behavior; with `match`, it does so only for one spec upload or image job.
 * `DELETE` resets the fake and drops planned callbacks. Like `GET`, `PUT` and `DELETE` return the behavior and the
 * recorded events.
 */
export function controlHandlers(state: FakeState, base: string) {
  return [
    http.get(`${base}/control`, () => HttpResponse.json(describe(state))),
    http.put(`${base}/control`, async ({ request }) => {
      const parsed = controlSchema.safeParse(await request.json().catch(() => null));
      if (!parsed.success)
        return HttpResponse.json({ error: z.prettifyError(parsed.error) }, { status: 400 });
      applyControl(state, parsed.data);
      return HttpResponse.json(describe(state));
    }),
    http.delete(`${base}/control`, () => {
      state.reset();
      return HttpResponse.json(describe(state));
    }),
  ];
}

function applyControl(state: FakeState, change: z.infer<typeof controlSchema>): void {
  const { match, seed, script, ...behavior } = change;
  if (seed !== undefined) {
    state.seed = seed;
    state.random = seededRandom(seed);
  }
  if (match) {
    const rule = { ...behavior, ...(script && { script }) };
    state.rules.set('job_id' in match ? match.job_id : match.spec_upload_id, rule);
    return;
  }
  if (behavior.delayMs !== undefined) state.delayMs = behavior.delayMs;
  if (behavior.times !== undefined) state.times = behavior.times;
  if (behavior.mode) state.mode = behavior.mode;
  // Weights take precedence over the mode, so setting only a mode removes them.
  if (behavior.mode || behavior.weights) state.weights = behavior.weights;
}

/** Lists the visible fields explicitly, so no secret or signed URL is included by accident. */
function describe(state: FakeState) {
  return {
    mode: state.mode,
    weights: state.weights ?? null,
    seed: state.seed,
    delayMs: state.delayMs,
    times: state.times,
    rules: Object.fromEntries(state.rules.entries()),
    counts: state.counts,
    triggers: state.triggers,
    callbacks: state.callbacks,
    undelivered: state.undelivered,
  };
}
