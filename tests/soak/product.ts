import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { programPath } from '@/lib/launcher/programs';
import { freePorts } from '@/tests/setup/free-ports';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { processesOf } from '@/tests/start/support/launch';
import { browsersOf } from '@/tests/start/support/printing-browsers';

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** Kills a process and waits for it to exit. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/**
 * Starts the product with a new data folder and a worker alongside the app. Returns functions that kill and restart its
 * processes or freeze them.
 */
export async function startProduct() {
  const dataDir = await makePrintingDataDir();
  const settings = { LOG_LEVEL: 'fatal', RATE_LIMIT_COSTLY: '1000000', RATE_LIMIT_OTHER: '1000000' };
  const options = { dataDir: dataDir.path, distDir: process.env.ATELIER_DIST_DIR || '.next' };
  // No test cuts the power, so there is no need to wait for writes to reach the disk.
  const env = { ...settings, ATELIER_LOCAL_FSYNC: 'off' };
  const atelier: Atelier = await startAtelier({ ...(await freePorts()), ...options, env });

  function startWorker(): ChildProcess {
    const workerEnv = { ...process.env, ...atelier.env, NODE_ENV: 'production' } as NodeJS.ProcessEnv;
    return spawn(process.execPath, [programPath('worker')], { env: workerEnv, stdio: 'ignore' });
  }
  let worker = startWorker();

  /** Suspends a process for `ms` milliseconds. To other processes, this looks like a network that drops everything. */
  async function freeze(child: ChildProcess | undefined, ms: number): Promise<void> {
    child?.kill('SIGSTOP');
    await sleep(ms);
    child?.kill('SIGCONT');
  }

  return {
    atelier,
    async killApp() {
      await kill(atelier.processes.app);
      await atelier.restartApp();
    },
    async killWorker() {
      await kill(worker);
      worker = startWorker();
    },
    async killBackend() {
      if (atelier.processes.backend) await kill(atelier.processes.backend);
      await atelier.restartBackend();
    },
    /** Kills all browsers of the product; returns false if none was running. */
    async killBrowsers(): Promise<boolean> {
      const pids = browsersOf(dataDir.path).map((line) => Number.parseInt(line, 10));
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process has just exited.
        }
      }
      return pids.length > 0;
    },
    freezeApp: (ms: number) => freeze(atelier.processes.app, ms),
    freezeBackend: (ms: number) => freeze(atelier.processes.backend, ms),
    freezeWorkflow: (ms: number) => freeze(atelier.processes.fakes, ms),
    async stop() {
      await kill(worker);
      await atelier.stop();
      const left = processesOf(dataDir.path);
      await dataDir.remove();
      return left;
    },
  };
}
