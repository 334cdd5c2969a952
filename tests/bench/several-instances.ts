import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { programPath } from '@/lib/launcher/programs';
import { apiAt } from '@/tests/app/support/api';
import { sendJob, startJob } from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { newUser } from '@/tests/app/support/people';
import { inParallel, poll } from '@/tests/app/support/poll';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import { startRoundRobin } from '@/tests/bench/round-robin';
import type { BenchRow } from '@/tests/bench/row';
import { startSlowWorkflow } from '@/tests/bench/slow-workflow';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const BAR = 1.9;
const COSTLY_PER_MINUTE = 120;
const JOBS = COSTLY_PER_MINUTE;
/**
 * The maximum number of triggers that two apps and two workers send in parallel. Each of these four processes sends up
 * to eight.
 */
const MOST_PARALLEL = 32;
/**
 * The mean response time of the workflow service, in milliseconds. It is long enough that the number of parallel
 * triggers, not the processors, limits the throughput, but well below the 10 seconds after which a trigger times out.
 */
const RESPONSE_MS = 6_000;

function startWorker(env: Record<string, string>): ChildProcess {
  const workerEnv = { ...process.env, ...env, NODE_ENV: 'production' } as NodeJS.ProcessEnv;
  return spawn(process.execPath, [programPath('worker')], { env: workerEnv, stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/**
 * Runs `work` with a second app that uses the backend of `first`, the way several instances share one hosted Supabase.
 */
async function withSecondApp<T>(
  first: Atelier,
  settings: Record<string, string>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const dataDir = await makeDataDir();
  const { port, localPort } = await freePorts();
  const distDir = process.env.ATELIER_DIST_DIR || '.next';
  const { ATELIER_DATA_DIR: _, ...env } = { ...first.env, ...settings };
  const second = await startAtelier({ port, localPort, dataDir: dataDir.path, distDir, env });
  try {
    return await work(second.url);
  } finally {
    await second.stop();
    await dataDir.remove();
  }
}

/**
 * Compares how many triggers per second two setups send to a slow workflow service. One setup has one app and one
 * worker. The other has two apps behind a reverse proxy, and two workers. In both setups, each job must be triggered
 * exactly once, and its `running` event must reach all clients. With two apps, the rate limit of costly calls must
 * apply to both apps together.
 */
export const severalInstances: BenchRow = {
  name: 'several-instances',
  run: async () => {
    const workflow = await startSlowWorkflow(RESPONSE_MS);
    const settings = {
      LOG_LEVEL: 'warn',
      IMAGE_WORKFLOW_URL: workflow.url,
      RATE_LIMIT_COSTLY: `${COSTLY_PER_MINUTE}`,
    };
    const workers: ChildProcess[] = [];
    const faults: string[] = [];
    try {
      return await withAtelier(async (atelier) => {
        const { url, env } = atelier;
        workers.push(startWorker(env));

        /**
         * Starts jobs through the URL `entry` and returns how many triggers were accepted per second. The first and
         * last `MOST_PARALLEL` triggers do not count, because fewer triggers than usual may be in flight then.
         */
        const throughput = async (entry: string) => {
          const person = await newUser(env);
          const api = apiAt(entry, person.headers);
          const projectId = await makeProject(api, 'Bench');
          const topic = `project:${projectId}`;
          let joined = 0;
          const listeners = [liveClient(env, person), liveClient(env, person)];
          const heard = await Promise.all(listeners.map((each) => each.follow(topic, () => void joined++)));
          await poll('the clients have joined', async () => joined === listeners.length);

          const before = workflow.acceptedAt.length;
          const jobs = await inParallel(Array.from({ length: JOBS }), 8, () => startJob(api, { projectId }));
          const isRunning = (jobId: string) =>
            heard.every((list) => list.some((each) => each.jobId === jobId && each.status === 'running'));
          await poll('all jobs run, and all clients know', async () => jobs.every(isRunning));
          const doubled = jobs.filter((jobId) => workflow.accepted.get(jobId) !== 1);
          if (doubled.length > 0) faults.push(`${doubled.length} jobs not triggered exactly once`);
          await Promise.all(listeners.map((each) => each.end()));
          const times = workflow.acceptedAt.slice(before + MOST_PARALLEL, before + JOBS - MOST_PARALLEL);
          return ((times.length - 1) / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * 1_000;
        };

        const one = await throughput(url);
        return withSecondApp(atelier, settings, async (secondUrl) => {
          workers.push(startWorker(env));
          const proxy = await startRoundRobin([url, secondUrl]);
          try {
            const two = await throughput(proxy.url);

            const person = await newUser(env);
            const api = apiAt(proxy.url, person.headers);
            const projectId = await makeProject(api, 'Bench');
            const begin = performance.now();
            const calls = await inParallel(Array.from({ length: COSTLY_PER_MINUTE * 2 }), 8, () =>
              sendJob(api, { projectId }),
            );
            const minutes = (performance.now() - begin) / 60_000;
            const accepted = calls.filter(({ status }) => status === 202).length;
            const refused = calls.filter(({ status }) => status === 429).length;
            // The rate limit keeps allowing `COSTLY_PER_MINUTE` more calls per minute while the calls run.
            const most = Math.ceil(COSTLY_PER_MINUTE * (1 + minutes)) + 1;
            if (accepted > most) faults.push(`${accepted} costly calls accepted instead of at most ${most}`);
            if (accepted + refused < calls.length) faults.push('calls refused for another reason');
            const ratio = two / one;
            const rates = `${two.toFixed(1)} / ${one.toFixed(1)} triggers/s = ${ratio.toFixed(2)} ×`;
            return {
              measured: faults.length > 0 ? `${rates}; ${faults.join('; ')}` : rates,
              bar: `>= ${BAR} ×`,
              holds: ratio >= BAR && faults.length === 0,
            };
          } finally {
            proxy.stop();
          }
        });
      }, settings);
    } finally {
      await Promise.all(workers.map(end));
      workflow.stop();
    }
  },
};
