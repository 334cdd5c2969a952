import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { searchResponse } from '@/lib/matlib/schema';
import { signIn } from '@/tests/app/support/people';
import { withAtelier } from '@/tests/bench/atelier';
import { startBareNext } from '@/tests/bench/bare-next/start-bare-next';
import type { BenchRow } from '@/tests/bench/row';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const BAR = 1.25;
const ROUNDS = 60;
const WARM_ROUNDS = 10;
const REQUESTS = 100;
const TICK_MS = 10;

type Target = { url: string; pid: number; headers: Record<string, string>; status: number };

/** Returns the processor time that a process has used, user and system, in milliseconds. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function get(agent: http.Agent, { url, headers, status }: Target): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () =>
        response.statusCode === status ? resolve(body) : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    });
    request.on('error', reject);
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Returns each target's median elapsed time and mean processor time per request, in milliseconds. The targets take
 * short turns, so other load on the machine affects all of them alike.
 */
async function compare(targets: Target[]): Promise<{ time: number; cpu: number }[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sums = targets.map((target) => ({ target, times: [] as number[], cpu: 0 }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const sum of sums) {
      const cpuBefore = cpuMs(sum.target.pid);
      for (let n = 0; n < REQUESTS; n += 1) {
        const began = performance.now();
        await get(agent, sum.target);
        if (round >= WARM_ROUNDS) sum.times.push(performance.now() - began);
      }
      if (round >= WARM_ROUNDS) sum.cpu += cpuMs(sum.target.pid) - cpuBefore;
    }
  }
  agent.destroy();
  return sums.map(({ times, cpu }) => ({ time: median(times), cpu: cpu / times.length }));
}

/** Waits until the colors of all matches of a search are known. Otherwise, computing them would be measured too. */
async function awaitColors(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}&facets=1`, { headers });
    const { facets } = searchResponse.parse(await response.json());
    if (facets?.colors_unknown === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/**
 * Measures a search that is served from the cache, once as a full response and once as a 304. Compares both with a bare
 * Next route that sends the bytes of the full response.
 */
export const materialHit: BenchRow = {
  name: 'material-hit',
  run: () =>
    withAtelier(async ({ url: atelierUrl, env, processes }) => {
      const { headers } = await signIn(env, 'member@atelier.test');
      const url = `${atelierUrl}/api/matlib/search?type=hdris&q=meadow`;
      await awaitColors(url, headers);
      const first = await fetch(url, { headers });
      const folder = await makeDataDir();
      const bodyFile = join(folder.path, 'bare.json');
      await writeFile(bodyFile, await first.text());
      const bare = await startBareNext((await freePorts()).port, bodyFile);
      try {
        const pid = processes.app.pid ?? 0;
        const known = { ...headers, 'if-none-match': first.headers.get('etag') ?? '' };
        const [base, hit, unchanged] = await compare([
          { url: bare.url, pid: bare.pid, headers: {}, status: 200 },
          { url, pid, headers, status: 200 },
          { url, pid, headers: known, status: 304 },
        ]);
        if (!base || !hit || !unchanged) throw new Error('not everything was measured');
        const [time, cpu] = [hit.time / base.time, hit.cpu / base.cpu];
        const x = (ratio: number) => `${ratio.toFixed(2)}×`;
        return {
          measured: `time ${x(time)}, CPU ${x(cpu)}; 304: ${x(unchanged.time / base.time)}, ${x(unchanged.cpu / base.cpu)}`,
          bar: `≤ ${BAR}×`,
          holds: time <= BAR && cpu <= BAR,
        };
      } finally {
        await bare.stop();
        await folder.remove();
      }
    }),
};
