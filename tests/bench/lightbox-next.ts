import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { sessionCookies, signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { quantile } from '@/tests/bench/timing';
import { browserCache, makeDataDir } from '@/tests/setup/temporary-dir';

const RUNS = 50;
const ROUNDS = 60;
const BAR = 1.3;

/**
 * Returns code to run in the page. The code presses a key and evaluates to the number of milliseconds until the page
 * has handled the key and computed its new layout. This time does not include the wait for the next frame.
 */
const timedKey = (key: string) => `(async () => {
  const begin = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
  await null;
  document.body.getBoundingClientRect();
  document.querySelector('[role=dialog] ul li:last-child').getBoundingClientRect();
  return performance.now() - begin;
})()`;

async function openLightbox(page: Page, url: string): Promise<void> {
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(url);
  await page.waitForSelector('[data-live=live]');
  for (;;) {
    const shown = await page.$$eval('article', (cards) => cards.length);
    const more = await page.$('::-p-xpath(//button[normalize-space()="Show earlier prompts"])');
    if (!more) break;
    await more.click();
    await page.waitForFunction(`document.querySelectorAll('article').length > ${shown}`);
  }
  await page.locator('button[aria-label="Open image 1.1"]').click();
  await page.waitForSelector('[role=dialog] ul li');
}

/** Steps to the next image and back, and returns how many milliseconds each step took. */
async function step(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const key of ['ArrowRight', 'ArrowLeft']) times.push(Number(await page.evaluate(timedKey(key))));
  return times;
}

/**
 * Measures how much longer the full-screen view takes to show the next image in a job with 50 prompts than in a job
 * with one.
 */
export const lightboxNext: BenchRow = {
  name: 'lightbox-next',
  run: () =>
    withAtelier(async ({ url, env, databaseUrl }) => {
      const person = await signIn(env, 'member@atelier.test');
      const api = apiAt(url, person.headers);
      const sql = openDatabase(databaseUrl);
      const profile = await makeDataDir();
      const { browser } = await launchChromium({
        executable: process.env.CHROMIUM_PATH || undefined,
        dataDir: browserCache,
        network: 'loopback',
        userDataDir: join(profile.path, 'profile'),
        log: { warn: (...said: unknown[]) => console.warn(...said) },
      });
      try {
        const projectId = await makeProject(api, 'Bench');
        const jobs: string[] = [];
        for (const prompt of ['One', 'Many']) {
          const jobId = await startJob(api, { projectId, prompt, options: { size: '256x256', count: 4 } });
          await waitForJob(api, jobId, 'succeeded');
          jobs.push(jobId);
        }
        const many = jobs[1] ?? '';
        await sql`insert into public.image_messages (job_id, ordinal, prompt)
          select ${many}, n, 'Prompt ' || n from generate_series(2, ${RUNS}::int) n`;
        await sql`insert into public.image_runs (job_id, run, message_id, status, finished_at)
          select job_id, ordinal, id, 'succeeded', now() from public.image_messages
           where job_id = ${many} and ordinal > 1`;
        // Each copy needs a unique path, because the studio identifies images by their paths.
        await sql`insert into public.image_variants (job_id, run, variant_id, position, path, thumb_path, width, height,
            project_id, number)
          select v.job_id, r.run, r.run || '-' || v.variant_id, v.position, v.path || '-' || r.run, v.thumb_path, v.width,
                 v.height, v.project_id, v.number
            from public.image_variants v join public.image_runs r on r.job_id = v.job_id and r.run > 1
           where v.job_id = ${many} and v.run = 1`;
        await sql`update public.image_jobs set run = ${RUNS} where id = ${many}`;
        const cookies = await sessionCookies(env, person.email);
        await browser.setCookie(...cookies.map((cookie) => ({ ...cookie, domain: new URL(url).hostname })));
        const pages: Page[] = [];
        for (const jobId of jobs) {
          const page = await browser.newPage();
          await openLightbox(page, `${url}/projects/${projectId}/studio?job=${jobId}`);
          pages.push(page);
        }
        const times: number[][] = pages.map(() => []);
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [index, page] of pages.entries()) {
            await page.bringToFront();
            times[index]?.push(...(await step(page)));
          }
        }
        const [one = 0, fifty = 0] = times.map((values) => quantile(values, 0.5));
        return {
          measured: `${(fifty / one).toFixed(2)} × (${fifty.toFixed(1)} ms at ${RUNS} prompts, ${one.toFixed(1)} at one)`,
          bar: `<= ${BAR} ×`,
          holds: fifty / one <= BAR,
        };
      } finally {
        await browser.close();
        await profile.remove();
        await sql.end();
      }
    }),
};
