import { http } from 'msw';
import { z } from 'zod';
import { sendCallback, sendResult, startPace } from '@/tests/fakes/workflow/callback';
import { fetchFile } from '@/tests/fakes/workflow/fetch-file';
import { findSections } from '@/tests/fakes/workflow/find-sections';
import { respondToTrigger } from '@/tests/fakes/workflow/respond-to-trigger';
import { httpUrl, readSignedTrigger, triggerBase } from '@/tests/fakes/workflow/signed-trigger';
import type { FakeState, Plan } from '@/tests/fakes/workflow/state';

const LARGEST_FILE = 100 * 1024 * 1024;

const specTriggerSchema = triggerBase.extend({
  type: z.literal('spec.process'),
  data: z.object({
    spec_upload_id: z.guid(),
    document_id: z.guid(),
    run: z.int().min(1),
    brand: z.string().min(1),
    area: z.string().min(1),
    property: z.string().nullable(),
    file_name: z.string().min(1),
    url: httpUrl,
    size_bytes: z.int().min(1).max(LARGEST_FILE),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    is_protected: z.boolean(),
  }),
});
type SpecTrigger = z.infer<typeof specTriggerSchema>;
type SpecResult =
  | {
      spec_upload_id: string;
      status: 'completed';
      sections_count: number;
      sections?: { title: string; page: number }[];
    }
  | { spec_upload_id: string; status: 'failed'; error: string };

/** Handles `POST /spec`: accepts a spec, finds its sections and calls back. */
export function specHandlers(state: FakeState, base: string) {
  return [
    http.post(`${base}/spec`, async ({ request }) => {
      const trigger = await readSignedTrigger(request, state.settings.signingSecret, specTriggerSchema);
      if (trigger instanceof Response) return trigger;
      const { type, id, attempt, data } = trigger;
      const subject = { type, id, attempt, subject: data.spec_upload_id, name: data.property, run: data.run };
      return respondToTrigger(state, subject, request.signal, (plan, signal) =>
        processSpec(state, trigger, plan, signal),
      );
    }),
  ];
}

async function processSpec(
  state: FakeState,
  trigger: SpecTrigger,
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  if (plan.mode === 'silent') return;
  const { id, data, callback, deadline_at } = trigger;
  const { spec_upload_id } = data;
  const about = { id, subject: spec_upload_id, run: data.run };
  const secret = state.settings.webhookSecret;
  const to = { url: callback.url, secretHeader: callback.secret_header, secret };
  const result = await state.inSlot(() => readSpec(data, state.retryBaseMs, signal));
  const pace = startPace(plan, deadline_at, signal);
  for (const progress of plan.mode === 'partial' ? [0.25, 0.5, 0.75] : []) {
    await pace(progress);
    const body = { spec_upload_id, status: 'running', progress, note: 'Counting the sections.' };
    await sendCallback(state, about, { ...to, body }, signal);
  }
  await pace(1);
  const right = { ...to, body: result };
  const failure = (reason: string) => failed(spec_upload_id, reason);
  await sendResult(state, about, plan.mode, right, failure, signal);
}

async function readSpec(
  data: SpecTrigger['data'],
  retryBaseMs: number,
  signal: AbortSignal,
): Promise<SpecResult> {
  const { spec_upload_id } = data;
  try {
    const pdf = await fetchFile(data, retryBaseMs, signal);
    const { count, headings } = await findSections(pdf);
    // If the PDF has an outline, `headings` is empty, because Atelier itself reads the section titles from the outline.
    const sections = headings.length > 0 ? { sections: headings } : {};
    return { spec_upload_id, status: 'completed', sections_count: count, ...sections };
  } catch (error) {
    signal.throwIfAborted();
    return failed(spec_upload_id, error instanceof Error ? error.message : String(error));
  }
}

function failed(spec_upload_id: string, error: string): SpecResult {
  return { spec_upload_id, status: 'failed', error };
}
