import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type Api, apiAt } from '@/tests/app/support/api';
import { reportImage, startJob } from '@/tests/app/support/image-jobs';
import { newUser, signIn } from '@/tests/app/support/people';
import { report, upload } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const BAR = 1.8;
const WARM_UP_ROUNDS = 30;
const ROUNDS = 120;
/** Milliseconds to wait after each call, so that the app can finish the work that the call started. */
const REST_MS = 150;

type Setup = {
  member: { id: string; api: Api };
  admin: Api;
  projectId: string;
  secrets: Record<'WEBHOOK_SECRET' | 'IMAGE_WEBHOOK_SECRET', string | undefined>;
  rest: SupabaseClient;
};
type Answer = { status: number; text: string };
type Calls = { call: () => Promise<Answer>; bare: () => PromiseLike<{ error: unknown }> };

/** Returns a row that compares a call to the app's API with a direct call to the database function behind it. */
function callRow(name: string, expected: number, prepare: (setup: Setup) => Promise<Calls>): BenchRow {
  const run = () =>
    withAtelier(async ({ url, env }) => {
      const { id, headers } = await newUser(env);
      const member = { id, api: apiAt(url, headers) };
      const { call, bare } = await prepare({
        member,
        admin: apiAt(url, (await signIn(env, 'admin@atelier.test')).headers),
        projectId: await makeProject(member.api, 'Bench'),
        secrets: { WEBHOOK_SECRET: env.WEBHOOK_SECRET, IMAGE_WEBHOOK_SECRET: env.IMAGE_WEBHOOK_SECRET },
        rest: createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '', {
          auth: { persistSession: false, autoRefreshToken: false },
        }),
      });
      const ours = async () => {
        const { status, text } = await call();
        if (status !== expected) throw new Error(`returned ${status} ${text}`);
      };
      const theirs = async () => {
        const { error } = await bare();
        if (error) throw error;
      };
      await interleaved(WARM_UP_ROUNDS, ours, theirs);
      const times = await interleaved(ROUNDS, ours, theirs, REST_MS);
      const [one = Number.NaN, other = Number.NaN] = times.map((each) => quantile(each, 0.5));
      const ratio = one / other;
      return {
        measured: `${one.toFixed(1)} / ${other.toFixed(1)} ms = ${ratio.toFixed(2)} ×`,
        bar: `<= ${BAR} ×`,
        holds: ratio <= BAR,
      };
    });
  return { name, run };
}

/** Creates enough items for both sides of a comparison. Returns a function that returns the id of an unused item. */
async function supply(make: () => Promise<string>): Promise<() => string> {
  const ids: string[] = [];
  for (let n = 0; n < 2 * (WARM_UP_ROUNDS + ROUNDS); n += 1) ids.push(await make());
  return () => ids.pop() ?? '';
}

export const sendMessage = callRow('send-message', 202, async ({ member, projectId, rest }) => {
  const next = await supply(async () => {
    const jobId = await startJob(member.api, { projectId });
    await rest.rpc('cancel_image_job', { p_job: jobId }).throwOnError();
    return jobId;
  });
  return {
    call: () => member.api('/api/image-gen/messages', { json: { jobId: next(), prompt: 'Warmer [silent]' } }),
    bare: () =>
      rest.rpc('send_image_message', { p_user: member.id, p_job: next(), p_prompt: 'Warmer [silent]' }),
  };
});

const error = 'The image could not be drawn.';

export const imageCallback = callRow('image-callback', 200, async ({ member, projectId, rest, secrets }) => {
  const next = await supply(() => startJob(member.api, { projectId }));
  return {
    call: () =>
      reportImage(
        member.api,
        secrets.IMAGE_WEBHOOK_SECRET,
        { job_id: next(), status: 'failed', output_paths: [], error },
        1,
      ),
    bare: () =>
      rest.rpc('apply_image_callback', { p_id: next(), p_status: 'failed', p_run: 1, p_error: error }),
  };
});

export const specCallback = callRow('spec-callback', 200, async ({ admin, rest, secrets }) => {
  const file = await makePdf({ sections: 2 });
  const next = await supply(() =>
    upload(admin, { file, propertyName: `${randomUUID()} [silent]`, onDuplicate: 'keep' }),
  );
  return {
    call: () =>
      report(
        admin,
        secrets.WEBHOOK_SECRET,
        { spec_upload_id: next(), status: 'completed', sections_count: 12 },
        1,
      ),
    bare: () =>
      rest.rpc('apply_spec_callback', {
        p_id: next(),
        p_run: 1,
        p_status: 'completed',
        p_sections_count: 12,
      }),
  };
});
