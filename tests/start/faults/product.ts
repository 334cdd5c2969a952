import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { startAtelier } from '@/lib/launcher/atelier';
import { type Child, childReady, spawnNode } from '@/lib/launcher/children';
import { programPath, root } from '@/lib/launcher/programs';
import { localSettings, type Settings } from '@/lib/launcher/settings';
import { systemEnv } from '@/lib/launcher/system-env';
import { hasEnded } from '@/supabase/local/backend/postgres/has-ended';
import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { makeProject } from '@/tests/app/support/team';
import { startFakeWorkflow } from '@/tests/fakes/workflow/server';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDatabaseDir, makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { emptyLedger, type Ledger } from '@/tests/soak/options';
import { kill } from '@/tests/soak/product';
import { makeGate } from '@/tests/start/support/gate';
import { processesOf } from '@/tests/start/support/launch';
import { browsersOf, pidsOf } from '@/tests/start/support/printing-browsers';

export type Product = Awaited<ReturnType<typeof startProduct>>;
export type Harness = {
  product: Product;
  api: Api;
  sql: Sql;
  projectId: string;
  ledger: Ledger;
  /** Ids of subjects that did not finish after a fault. Each is reported once; later faults do not wait for them. */
  stuck: Set<string>;
};

function postgresPids(dataDir: string): number[] {
  const [server = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8');
  return [server, ...children.trim().split(' ')].map(Number);
}

function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
}

/** Lets a process end on its own, so that it removes its files, unless it has been killed already. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/**
 * Starts a backend, a fake workflow service, an app and a worker. There are four gates: for the app's requests to the
 * backend, for the worker's requests to the backend, for the triggers, and for the callbacks. The result has functions
 * that kill and restart the app and the backend, and one that kills the browsers. The worker is killed together with
 * the app and is not restarted.
 */
export async function startProduct() {
  const folders = [await makeDatabaseDir(), await makePrintingDataDir()];
  const [backendDir = '', dataDir = ''] = folders.map(({ path }) => path);
  const ports = await freePorts();
  const settings = localSettings({ chosen: {}, saved: {}, dataDir, ...ports });
  const backendUrl = `http://127.0.0.1:${ports.localPort}`;
  const workflow = await startFakeWorkflow({
    port: 0,
    signingSecret: settings.WORKFLOW_SIGNING_SECRET ?? '',
    webhookSecret: settings.WEBHOOK_SECRET ?? '',
    imageWebhookSecret: settings.IMAGE_WEBHOOK_SECRET ?? '',
    delayMs: 0,
    // Retry quickly, because killed processes are restarted at once.
    retryBaseMs: 20,
    longestPauseMs: 100,
  });
  const gates = {
    app: await makeGate(backendUrl),
    worker: await makeGate(backendUrl),
    workflow: await makeGate(workflow.url),
    callbacks: await makeGate(`http://127.0.0.1:${ports.port}`),
  };
  const env: Settings = {
    ...settings,
    NEXT_PUBLIC_SUPABASE_URL: gates.app.url,
    SPEC_WORKFLOW_URL: `${gates.workflow.url}/spec`,
    IMAGE_WORKFLOW_URL: `${gates.workflow.url}/image`,
    APP_URL: gates.callbacks.url,
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_COSTLY: '1000000',
    RATE_LIMIT_OTHER: '1000000',
    UPLOADS_AT_ONCE: '1000',
  };

  let backend: Child;
  async function startBackend(): Promise<string> {
    backend = spawnNode({
      name: 'the backend',
      args: [programPath('backend')],
      cwd: root,
      env: { ...systemEnv(), ...settings, ATELIER_DATA_DIR: backendDir, ATELIER_LOCAL_FSYNC: 'off' },
    });
    return (await childReady(backend)).databaseUrl ?? '';
  }
  function startWorker(): ChildProcess {
    const own = { NEXT_PUBLIC_SUPABASE_URL: gates.worker.url, NODE_ENV: 'production' };
    const workerEnv = { ...systemEnv(), ...env, ...own } as unknown as NodeJS.ProcessEnv;
    return spawn(process.execPath, [programPath('worker')], { env: workerEnv, stdio: 'ignore' });
  }

  const distDir = process.env.ATELIER_DIST_DIR || '.next';
  const [databaseUrl, atelier] = await Promise.all([
    startBackend(),
    startAtelier({ ...ports, dataDir, distDir, env }),
  ]);
  const worker = startWorker();
  /** The pids of all processes seen so far. */
  const pids = new Set<number>();
  const notePids = () => {
    for (const pid of [...pidsOf(dataDir), ...pidsOf(backendDir)]) pids.add(pid);
  };

  return {
    url: atelier.url,
    env,
    backendUrl,
    databaseUrl,
    workflowUrl: workflow.url,
    dataDir,
    gates,
    pids,
    /** Kills the app and the worker at the same moment. */
    async killWork() {
      notePids();
      await Promise.all([kill(atelier.processes.app), kill(worker)]);
    },
    restartApp: () => atelier.restartApp(),
    /** Kills the backend and every process of its Postgres. */
    async killBackend() {
      notePids();
      const all = postgresPids(backendDir);
      killAll([backend.process.pid ?? 0, ...all]);
      await backend.exited;
      for (const pid of all) await hasEnded(pid, 30_000);
    },
    startBackend,
    /** Kills the browsers once one of them has a page open. */
    async killBrowsers() {
      await poll('a page is open', async () => browsersOf(dataDir, 'renderer').length > 0);
      notePids();
      const browsers = browsersOf(dataDir).map((line) => Number.parseInt(line, 10));
      killAll(browsers);
      for (const pid of browsers) await hasEnded(pid, 30_000);
    },
    /** Returns the folders of exports in progress and of exports whose process was killed. */
    async exportFolders(): Promise<string[]> {
      const names = await readdir(join(dataDir, 'images')).catch(() => []);
      return names.filter((name) => name.startsWith('export-')).map((name) => join(dataDir, 'images', name));
    },
    /** Makes folders old enough for the sweep to remove them. */
    async ageFolders(paths: string[]) {
      const before = new Date(Date.now() - 3_600_000);
      for (const path of paths) await utimes(path, before, before);
    },
    /** Stops everything and returns the processes that remain, as `pid command` lines. */
    async stop(): Promise<string[]> {
      notePids();
      await Promise.all([end(worker), atelier.stop()]);
      await Promise.all(Object.values(gates).map((gate) => gate.end()));
      await workflow.stop();
      await backend.stop();
      let left: string[] = [];
      // A browser exits once its connection is closed.
      await poll('no process is left', async () => {
        left = [...processesOf(dataDir), ...processesOf(backendDir)];
        return left.length === 0;
      }).catch(() => {});
      for (const folder of folders) await folder.remove();
      return left;
    },
  };
}

/** Starts the product and creates an admin, a project, and an empty ledger of what the product accepts. */
export async function startHarness(): Promise<Harness> {
  const product = await startProduct();
  const env = { ...product.env, NEXT_PUBLIC_SUPABASE_URL: product.backendUrl };
  const api = apiAt(product.url, (await newAdmin(env)).headers);
  const sql = openDatabase(product.databaseUrl);
  return { product, api, sql, projectId: await makeProject(api), ledger: emptyLedger(), stuck: new Set() };
}
