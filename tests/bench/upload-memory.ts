import { setTimeout as sleep } from 'node:timers/promises';
import { form } from '@/tests/app/support/form';
import { signIn } from '@/tests/app/support/people';
import { uploadParts } from '@/tests/app/support/upload-parts';
import { withAtelier } from '@/tests/bench/atelier';
import { treeBytes } from '@/tests/bench/process-memory';
import type { BenchRow } from '@/tests/bench/row';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const MB = 1024 * 1024;
const BAR_MB = 200;

/** Measures the peak growth of the app's memory while four files of 45 MB are uploaded at once. */
export const uploadMemory: BenchRow = {
  name: 'upload-memory',
  isAbsolute: true,
  run: () =>
    withAtelier(async ({ url, env, processes }) => {
      const { headers } = await signIn(env, 'admin@atelier.test');
      const upload = async (bytes: number) => {
        const file = await makePdf({ sections: 1, bytes });
        const { body, headers: type } = form(await uploadParts({ file, propertyName: '[silent]' }));
        return () =>
          fetch(`${url}/api/admin/specs/upload`, { method: 'POST', body, headers: { ...headers, ...type } });
      };
      // Measure only the calls after the first one, which loads everything that later calls reuse.
      const [warm, ...four] = await Promise.all([MB, 45 * MB, 45 * MB, 45 * MB, 45 * MB].map(upload));
      await warm?.();
      await sleep(1_000);
      const pid = processes.app.pid ?? 0;
      const before = treeBytes(pid);
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, treeBytes(pid));
      }, 20);
      const responses = await Promise.all(four.map((send) => send()));
      clearInterval(watch);
      const statuses = responses.map(({ status }) => status);
      if (statuses.some((status) => status !== 202)) throw new Error(`returned ${statuses.join(', ')}`);
      const grown = (most - before) / MB;
      return {
        measured: `+${grown.toFixed(0)} MB over ${(before / MB).toFixed(0)} MB`,
        bar: `< ${BAR_MB} MB`,
        holds: grown < BAR_MB,
      };
    }),
};
