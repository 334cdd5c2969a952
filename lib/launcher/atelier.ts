import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { parseServerEnv } from '../env/server.ts';
import { messageOf } from '../errors/error-parts.ts';
import { StartError } from '../errors/start-error.ts';
import { claimDataFolder, requireWritable } from '../process/data-folder.ts';
import type { Lock } from '../process/lock.ts';
import { buildApp, startApp } from './app-process.ts';
import { type Child, childReady, sentenceCase } from './children.ts';
import { FAKES, type Fake, fakesPorts, neededFakes } from './fakes.ts';
import { awaitLeftovers, recordProcesses, stopOrphanPostgres } from './leftovers.ts';
import { type PortUse, requireFreePorts } from './ports.ts';
import { createProcessSet, type ProcessSet } from './process-set.ts';
import { bundlePrograms, programPath, root, watchPrograms } from './programs.ts';
import { step } from './progress.ts';
import { type Placeholder, respondUnavailable } from './respond-unavailable.ts';
import {
  chosenSettings,
  generatedOf,
  isLocalMode,
  lastingSettings,
  localSettings,
  overridesIn,
  type Settings,
} from './settings.ts';
import {
  readGenerated,
  readSavedSettings,
  writeGenerated,
  writeOverrides,
  writeSettings,
} from './settings-file.ts';
import { systemEnv } from './system-env.ts';

export type AtelierOptions = {
  dataDir: string;
  port: number;
  /** The embedded backend's port. Postgres and the fakes use the ports after it. */
  localPort: number;
  dev?: boolean;
  /** The settings. Child processes get them and `systemEnv()`, but nothing else from this process's environment. */
  env?: Record<string, string>;
  log?: (line: string) => void;
  /** The build folder, relative to the checkout; default `.next`. */
  distDir?: string;
  /** Called if a process exits unexpectedly after startup; `how` is its exit code or signal, such as `exit code 1`. */
  onDeath?: (name: string, how: string) => void;
  /** Aborts startup and stops the processes started so far. Has no effect after startup. */
  signal?: AbortSignal;
};

export type Atelier = {
  url: string;
  /** The settings that the app runs with. */
  env: Record<string, string>;
  local: boolean;
  /** The URL of the embedded Postgres, in local mode. */
  databaseUrl?: string;
  processes: { backend?: ChildProcess; fakes?: ChildProcess; app: ChildProcess };
  /** The address that the app listens on. */
  host: string;
  /** Stops the app if it is running, and starts it on the same port. */
  restartApp(): Promise<void>;
  /** Stops the embedded backend and its Postgres if they are running, and starts them on the same ports. */
  restartBackend(): Promise<void>;
  /** Restarts an exited process, given its name from `onDeath`. */
  restart(name: string): Promise<void>;
  /** Stops everything, the app first. May be called more than once. */
  stop(): Promise<void>;
};

type Start = {
  options: Required<Omit<AtelierOptions, 'signal'>>;
  processes: ProcessSet;
  /** The settings and the variables from `systemEnv()`. */
  env: Settings;
};

type Services = Omit<Atelier['processes'], 'app'>;

/** Saves 20 MB in a mostly idle process. `npm start` and `npm run dev` pass the same option to the launcher. */
const idleArgs = ['--max-semi-space-size=2'];

function runService({ options, processes }: Start, name: string, args: string[], env: Settings): Child {
  return processes.run({
    name,
    args,
    cwd: root,
    env,
    onLine: options.log,
    onDeath: (how) => options.onDeath(name, how),
  });
}

function checkSettings(env: Settings): void {
  try {
    parseServerEnv({ ...env, NODE_ENV: 'production' });
  } catch (error) {
    throw new StartError(messageOf(error));
  }
}

/** Builds the app if its sources have changed, and says so on the app's port. Does nothing in dev mode. */
async function build({ options, processes, env }: Start, show: Placeholder['show']): Promise<void> {
  const { dev, distDir, log } = options;
  if (dev) return;
  const onBuild = () => show('building');
  await step(log, 'App build', () => buildApp({ processes, env, distDir, log, onBuild }));
  show('starting');
}

/**
 * Bundles the programs, then runs `prepare`. Meanwhile, the app's port serves a page that says that Atelier is starting.
 */
async function behindPlaceholder<T>(
  { options }: Start,
  host: string,
  prepare: (show: Placeholder['show']) => Promise<T>,
): Promise<T> {
  const placeholder = await respondUnavailable(options.port, host, 'starting');
  const bundle = options.dev ? watchPrograms() : bundlePrograms(options.log);
  return bundle.then(() => prepare(placeholder.show)).finally(placeholder.stop);
}

function portUses({ port, localPort }: AtelierOptions, fakes: Fake[]): PortUse[] {
  const local = [
    { name: 'the embedded backend', portOffset: 0 },
    { name: 'the embedded Postgres', portOffset: 1 },
    ...fakes,
  ];
  return [
    { port, name: 'the app', setting: 'PORT' },
    ...local.map(({ name, portOffset }): PortUse => {
      return { port: localPort + portOffset, name, setting: 'SUPABASE_LOCAL_PORT' };
    }),
  ];
}

/** Starts the embedded backend and the fakes, builds the app, and returns the settings with the services' URLs. */
async function startLocalServices(start: Start, saved: Settings) {
  const { dataDir, port, localPort, log } = start.options;
  const chosen = start.options.env;
  const fakes = neededFakes(chosen);
  await awaitLeftovers(dataDir, () => log('Waiting for processes of an earlier start to exit …'));
  await stopOrphanPostgres(dataDir);
  const host = '127.0.0.1';
  await requireFreePorts(portUses(start.options, fakes), host);
  const generated = readGenerated(dataDir) ?? saved;
  const settings = localSettings({ chosen, saved: generated, dataDir, port, localPort });

  const env = { ...start.env, ...settings };
  const services: Services = {};
  let backend: Child | undefined;
  const startBackend = async () => {
    backend = runService(start, 'the embedded backend', [programPath('backend')], env);
    services.backend = backend.process;
    return childReady(backend);
  };
  const restartBackend = async () => {
    await backend?.stop();
    await stopOrphanPostgres(dataDir);
    await startBackend();
  };
  // If the check fails, the saved settings stay as they are.
  const saveSettings = async () => {
    checkSettings(env);
    const lasting = generatedOf({ chosen, settings, generated });
    const automatic = localSettings({ chosen: {}, saved: lasting, dataDir, port, localPort });
    await writeGenerated(dataDir, lasting);
    await writeSettings(dataDir, lastingSettings(settings, automatic));
    await writeOverrides(dataDir, overridesIn(settings, automatic));
  };
  const restarts = new Map([['the embedded backend', restartBackend]]);
  let fakesChild: Child | undefined;
  const fakesArgs = [...idleArgs, programPath('fakes'), ...fakesPorts(localPort, fakes)];
  const startFakes = async () => {
    await fakesChild?.stop();
    fakesChild = runService(start, FAKES, fakesArgs, env);
    services.fakes = fakesChild.process;
    await childReady(fakesChild);
  };
  if (fakes.length > 0) restarts.set(FAKES, startFakes);
  const [{ databaseUrl }] = await behindPlaceholder(start, host, (show) =>
    Promise.all([
      step(log, 'Database and backend', startBackend),
      fakes.length > 0 && step(log, 'Fakes of external services', startFakes),
      saveSettings(),
      build(start, show),
    ]),
  );
  return { settings, services, databaseUrl, restartBackend, restarts, host };
}

/** Checks the settings for a hosted Supabase and builds the app, but starts no local services. */
async function prepareHosted(start: Start) {
  const settings = { ...start.options.env, PORT: String(start.options.port) };
  const host = '0.0.0.0';
  await requireFreePorts([{ port: start.options.port, name: 'the app', setting: 'PORT' }], host);
  checkSettings({ ...start.env, ...settings });
  await behindPlaceholder(start, host, (show) => build(start, show));
  const restartBackend = () => Promise.reject(new Error('There is no embedded backend.'));
  const restarts = new Map<string, () => Promise<void>>();
  const services: Services = {};
  return { settings, services, databaseUrl: undefined, restartBackend, restarts, host };
}

async function startAll(start: Start, local: boolean, saved: Settings, stop: () => Promise<void>) {
  const { options, processes } = start;
  const { port, distDir, dev, log } = options;
  const prepared = await (local ? startLocalServices(start, saved) : prepareHosted(start));
  const { settings, services, databaseUrl, restartBackend, restarts, host } = prepared;
  const onDeath = (how: string) => options.onDeath('the app', how);
  const env = { ...start.env, ...settings };
  const runApp = () => startApp({ processes, env, distDir, dev, host, port, log, onDeath });

  let app = await step(log, 'App', runApp);
  const atelier: Atelier = {
    url: `http://127.0.0.1:${port}`,
    host,
    env: settings,
    local,
    databaseUrl,
    processes: { ...services, app: app.process },
    async restartApp() {
      await app.stop();
      app = await runApp();
      atelier.processes.app = app.process;
    },
    async restartBackend() {
      await restartBackend();
      atelier.processes.backend = services.backend;
    },
    async restart(name) {
      if (name === 'the app') return atelier.restartApp();
      await restarts.get(name)?.();
      Object.assign(atelier.processes, services);
    },
    stop,
  };
  return atelier;
}

/**
 * Starts the whole product and resolves when it is ready. In local mode, the product consists of the app, the embedded
 * backend, and a fake of each external service that is not configured. With a hosted Supabase, it is the app alone. If
 * startup fails or `signal` aborts it, stops everything started so far. Then throws a StartError with a message for the
 * user or, after an abort, the signal's reason.
 */
export async function startAtelier(input: AtelierOptions): Promise<Atelier> {
  const dataDir = resolve(root, input.dataDir);
  const nothing = () => {};
  const defaults = { dev: false, env: {}, log: nothing, distDir: '.next', onDeath: nothing };
  const { signal, ...options } = { ...defaults, ...input, dataDir };
  await requireWritable(dataDir);
  const saved = readSavedSettings(dataDir);
  const local = isLocalMode(options.env, saved);

  // Instances on a hosted Supabase can share the data folder. An embedded backend needs its own.
  const claim: Lock | undefined = local ? await claimDataFolder('instance of Atelier', dataDir) : undefined;
  const processes = createProcessSet((pids) => local && recordProcesses(dataDir, pids));
  const stop = async () => {
    await processes.stop();
    if (local) await stopOrphanPostgres(dataDir);
    await claim?.release();
  };
  let ready = false;
  try {
    return await new Promise<Atelier>((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason));
      const onDeath = (name: string, how: string) => {
        if (ready) options.onDeath(name, how);
        else reject(new StartError(`${sentenceCase(name)} exited unexpectedly (${how}).`));
      };
      // In local mode, leave out the settings that the last run chose, so that no process gets them. This run chooses
      // its own.
      const given = local ? chosenSettings(options.env, saved) : options.env;
      const env = { ...systemEnv(), ...given };
      const start = { options: { ...options, env: given, onDeath }, processes, env };
      startAll(start, local, saved, stop).then(resolve, reject);
    });
  } catch (error) {
    await stop();
    throw error;
  } finally {
    ready = true;
  }
}
