import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { countPdfPages } from '@/lib/pdf/count-pdf-pages';
import { IMAGE_ORIGIN, type PrintJob, printHtml } from '@/lib/pdf/print-html';
import { poll } from '@/tests/app/support/poll';
import { type DataDir, makePrintingDataDir } from '@/tests/setup/temporary-dir';

let dataDir: DataDir;
let chromium: Awaited<ReturnType<typeof launchChromium>>;
const started: { close(): Promise<void> }[] = [];

async function launch() {
  const launched = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, `profile-${started.length}`),
    log: { warn: () => {} },
  });
  started.push(launched);
  return launched;
}
beforeAll(async () => {
  dataDir = await makePrintingDataDir();
  chromium = await launch();
});
afterAll(async () => {
  for (const { close } of started) await close();
  await dataDir?.remove();
});

/** Returns the pids of all processes of this file's browsers, or only of those of one type, such as `renderer`. */
async function pidsOf(type?: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // NULs separate the arguments of a browser's main process. Spaces separate those of its child processes.
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    const words = line.split(/[\0 ]/);
    const isOurs = words[0]?.startsWith(`${dataDir.path}/`) && words[0].endsWith('/chromium');
    if (isOurs && (!type || words.includes(`--type=${type}`))) found.push(Number(name));
  }
  return found;
}

function print(by: typeof chromium, html: string, more: Partial<PrintJob> = {}) {
  return printHtml(by.browser, () => process.kill(-by.pid, 'SIGKILL'), {
    html: `<!doctype html><html lang="en"><title>t</title><body>${html}</body></html>`,
    image: async () => null,
    signal: AbortSignal.timeout(600_000),
    ...more,
  });
}

test('a renderer that hangs is ended at the deadline, and the next document is printed', async () => {
  // After a print, the renderer of the browser's own empty page has started, so it is not taken for a new one below.
  await print(chromium, '<p>first</p>');
  const before = new Set(await pidsOf('renderer'));
  const deadline = new AbortController();
  let stuck: number[] = [];
  const printing = print(chromium, `<img src="${IMAGE_ORIGIN}x"><p>never</p>`, {
    signal: deadline.signal,
    image: async () => {
      stuck = (await pidsOf('renderer')).filter((pid) => !before.has(pid));
      for (const pid of stuck) process.kill(pid, 'SIGSTOP');
      deadline.abort(new Error('the deadline'));
      return null;
    },
  });
  await expect(printing).rejects.toThrow('the deadline');
  expect(stuck.length).toBeGreaterThan(0);
  await poll('the renderer is gone', async () => {
    const left = await pidsOf();
    return stuck.every((pid) => !left.includes(pid));
  });
  if (!chromium.browser.connected) chromium = await launch();
  expect(countPdfPages((await print(chromium, '<p>next</p>')).pdf)).toBe(1);
});

test('a browser that hangs is killed at the deadline, and other browsers keep running', {
  tags: ['extended'],
}, async () => {
  const other = await launch();
  const mine = new Set([other.pid]);
  await print(other, '<p>warm</p>');
  process.kill(other.pid, 'SIGSTOP');
  const printing = print(other, '<p>never</p>', { signal: AbortSignal.timeout(500) });
  await expect(printing).rejects.toThrow(/timeout/i);
  await poll('the browser is gone', async () => !(await pidsOf()).some((pid) => mine.has(pid)));
  await poll('the end of the browser is noticed', async () => !other.browser.connected);
  await other.close();
  // The first browser and its processes are still running.
  expect(countPdfPages((await print(chromium, '<p>other</p>')).pdf)).toBe(1);
});

test('a browser that hangs in the middle of a document is killed at the deadline', {
  tags: ['extended'],
}, async () => {
  const other = await launch();
  const printing = print(other, `<img src="${IMAGE_ORIGIN}x"><p>never</p>`, {
    signal: AbortSignal.timeout(2_000),
    image: async () => {
      process.kill(other.pid, 'SIGSTOP');
      return null;
    },
  });
  await expect(printing).rejects.toThrow(/timeout/i);
  await poll('the browser is gone', async () => !(await pidsOf()).includes(other.pid));
  await chromium.close();
  await other.close();
  await poll('no browser is left', async () => (await pidsOf()).length === 0);
});
