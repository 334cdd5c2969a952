import { createClient } from '@supabase/supabase-js';
import { apiAt } from '@/tests/app/support/api';
import { SMALL, sendJob } from '@/tests/app/support/image-jobs';
import { signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const BAR = 2.5;
const ROUNDS = 150;
/** Long enough to dispatch one job, which is not part of the measurement. */
const REST_MS = 150;

/** Compares `POST /api/image-gen/jobs` with the one database function that it calls, both through the same REST API. */
export const createJob: BenchRow = {
  name: 'create-job',
  run: () =>
    withAtelier(async ({ url, env }) => {
      const person = await signIn(env, 'member@atelier.test');
      const api = apiAt(url, person.headers);
      const projectId = await makeProject(api, 'Bench');
      const rest = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '', {
        auth: { persistSession: false, autoRefreshToken: false },
      });
      const post = async () => {
        const { status, text } = await sendJob(api, { projectId });
        if (status !== 202) throw new Error(`returned ${status} ${text}`);
      };
      const bare = async () => {
        const { error } = await rest.rpc('create_image_job', {
          p_user: person.id,
          p_project: projectId,
          p_prompt: 'A lobby [silent]',
          p_options: { size: SMALL },
        });
        if (error) throw error;
      };
      await interleaved(30, post, bare);
      const [posts, bares] = await interleaved(ROUNDS, post, bare, REST_MS);
      const [ours, theirs] = [quantile(posts, 0.5), quantile(bares, 0.5)];
      const ratio = ours / theirs;
      return {
        measured: `${ours.toFixed(1)} / ${theirs.toFixed(1)} ms = ${ratio.toFixed(2)} ×`,
        bar: `<= ${BAR} ×`,
        holds: ratio <= BAR,
      };
    }),
};
