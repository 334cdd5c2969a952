import type { Browser } from 'puppeteer-core';
import { serverEnv } from '@/lib/env/server';
import type { Log } from '@/lib/log/logger';
import { sendSignal } from '@/lib/process/live-process';
import { sharedValue } from '@/lib/process/shared-value';
import { boundMemory } from './browser-memory';
import { launchChromium } from './chromium/launch';
import { prepareSpare } from './print-page';
import { makeProfileFolder } from './profile-folder';

const IDLE_MS = 60_000;
/** Number of uses after which a browser is replaced. */
const MAX_USES = 200;

type Warm = {
  browser: Browser;
  kill: () => void;
  close: () => Promise<void>;
  uses: number;
  users: number;
};

// Exports and uploads of fonts use the same browser, although their code is in different bundles.
const shared = sharedValue(
  'warm-browser',
  (): { current?: Promise<Warm> | undefined; idle?: NodeJS.Timeout } => ({}),
);

async function launch(log: Log): Promise<Warm> {
  const env = serverEnv();
  const profile = await makeProfileFolder();
  try {
    const chromium = await launchChromium({
      executable: env.CHROMIUM_PATH,
      dataDir: env.ATELIER_DATA_DIR,
      // `--jitless` turns off the JavaScript compiler. All pages have scripts disabled, so JavaScript need not be fast.
      args: [
        '--disable-webgl',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--js-flags=--jitless',
      ],
      network: 'none',
      userDataDir: profile.path,
      log,
    });
    const kill = () => void sendSignal(-chromium.pid, 'SIGKILL');
    const maxBytes = env.EXPORT_MEMORY_MB * 1024 * 1024;
    boundMemory(chromium.browser, { pid: chromium.pid, kill, maxBytes });
    const atExit = () => {
      kill();
      profile.removeNow();
    };
    process.once('exit', atExit);
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= (async () => {
        await chromium.close();
        await profile.remove();
        process.off('exit', atExit);
      })().catch((error: unknown) => log.warn({ error }, 'browser not cleaned up'));
      return closing;
    };
    return { browser: chromium.browser, kill, close, uses: 0, users: 0 };
  } catch (error) {
    await profile.remove();
    throw error;
  }
}

function start(log: Log): Promise<Warm> {
  const starting = launch(log);
  shared.current = starting;
  const forget = () => {
    if (shared.current === starting) shared.current = undefined;
  };
  starting.then((warm) => {
    warm.browser.once('disconnected', () => {
      forget();
      void warm.close();
    });
  }, forget);
  return starting;
}

/** Work to do in a browser. `kill` kills the browser, which also stops all other work in it. */
export type BrowserWork<T> = (browser: Browser, kill: () => void) => Promise<T>;

/**
 * Runs `work` with this process's warm browser. The browser is started on demand. It is closed after it has been idle
 * for a minute, or after `MAX_USES` uses, once all of them have finished. Throws `BrowserStartError` or a system error
 * if the browser cannot be started. Also throws any error from `work`.
 */
export async function withBrowser<T>(log: Log, work: BrowserWork<T>): Promise<T> {
  clearTimeout(shared.idle);
  const lease = shared.current ?? start(log);
  const warm = await lease;
  warm.users += 1;
  warm.uses += 1;
  if (warm.uses >= MAX_USES && shared.current === lease) shared.current = undefined;
  try {
    return await work(warm.browser, warm.kill);
  } finally {
    warm.users -= 1;
    if (warm.users === 0) {
      if (shared.current !== lease) void warm.close();
      else {
        prepareSpare(warm.browser);
        clearTimeout(shared.idle);
        shared.idle = setTimeout(() => {
          if (warm.users > 0 || shared.current !== lease) return;
          shared.current = undefined;
          void warm.close();
        }, IDLE_MS);
        shared.idle.unref();
      }
    }
  }
}
