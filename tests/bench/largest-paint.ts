import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { apiAt } from '@/tests/app/support/api';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { sessionCookies, signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { quantile } from '@/tests/bench/timing';
import { browserCache, makeDataDir } from '@/tests/setup/temporary-dir';

const BAR = 2;
const ROUNDS = 5;
const IMAGES = 3;
/** A mobile connection: 1.6 Mbit/s down and 750 kbit/s up, given in bytes per second, with 150 ms of latency. */
const slowLine = { download: 200_000, upload: 93_750, latency: 150 };

// The code is a string, because it runs in the page and not in this process.
const largestPaint = `new Promise((resolve) => new PerformanceObserver((list) =>
  resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`;

type Cookies = Awaited<ReturnType<typeof sessionCookies>>;

/** Opens a page with an empty cache on a slow connection; returns its largest contentful paint in ms. */
async function paintMs(browser: Browser, url: string, cookies: Cookies): Promise<number> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await context.setCookie(...cookies.map((cookie) => ({ ...cookie, domain: '127.0.0.1' })));
    await page.emulateNetworkConditions(slowLine);
    await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
    return Number(await page.evaluate(largestPaint));
  } finally {
    await context.close();
  }
}

/**
 * Measures the largest contentful paint on a slow connection. Compares the studio, the gallery and the materials page
 * with the project list.
 */
export const largestPaints: BenchRow = {
  name: 'largest-paint',
  run: () =>
    withAtelier(async ({ url, env }) => {
      const person = await signIn(env, 'member@atelier.test');
      const api = apiAt(url, person.headers);
      const projectId = await makeProject(api, 'Bench');
      let job = '';
      for (let n = 0; n < IMAGES; n += 1) {
        const jobId = await startJob(api, { projectId, prompt: 'A lobby', options: { size: '1024x768' } });
        await waitForJob(api, jobId, 'succeeded');
        job = jobId;
      }
      const profile = await makeDataDir();
      const { browser } = await launchChromium({
        executable: process.env.CHROMIUM_PATH || undefined,
        dataDir: browserCache,
        network: 'loopback',
        userDataDir: join(profile.path, 'profile'),
        log: console,
      });
      try {
        const cookies = await sessionCookies(env, 'member@atelier.test');
        const paths = {
          projects: '/projects',
          studio: `/projects/${projectId}/studio?job=${job}`,
          gallery: `/projects/${projectId}/gallery`,
          materials: '/materials',
        };
        const times = Object.fromEntries(Object.keys(paths).map((name): [string, number[]] => [name, []]));
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const [name, path] of Object.entries(paths)) {
            times[name]?.push(await paintMs(browser, `${url}${path}`, cookies));
          }
        }
        const base = quantile(times.projects ?? [], 0.5);
        const ratios = Object.entries(times).map(([name, all]): [string, number] => [
          name,
          quantile(all, 0.5) / base,
        ]);
        return {
          measured: `projects ${(base / 1_000).toFixed(1)} s; ${ratios
            .slice(1)
            .map(([name, ratio]) => `${name} ${ratio.toFixed(2)} ×`)
            .join(', ')}`,
          bar: `<= ${BAR} ×`,
          holds: ratios.every(([, ratio]) => ratio <= BAR),
        };
      } finally {
        await browser.close();
        await profile.remove();
      }
    }),
};
