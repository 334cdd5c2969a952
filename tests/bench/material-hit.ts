import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { searchAnswer } from '@/lib/matlib/schema';
import { signIn } from '@/tests/app/people';
import { withAtelier } from '@/tests/bench/atelier';
import { startBareNext } from '@/tests/bench/bare-next/start-bare-next';
import type { BenchRow } from '@/tests/bench/row';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const BAR = 1.25;
const ROUNDS = 12;
const WARM_ROUNDS = 2;
const REQUESTS = 300;
const TICK_MS = 10;

type Target = { url: string; pid: number; headers: Record<string, string>; status: number };

/** Milliseconds of processor time that a process has used, user and system. */
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

/** Milliseconds and processor milliseconds a request, the targets taking turns so that the machine's moods even out. */
async function compare(targets: Target[]): Promise<{ time: number; cpu: number }[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sums = targets.map(() => ({ time: 0, cpu: 0 }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, target] of targets.entries()) {
      const [began, cpuBefore] = [performance.now(), cpuMs(target.pid)];
      for (let n = 0; n < REQUESTS; n += 1) await get(agent, target);
      const sum = sums[i];
      if (!sum || round < WARM_ROUNDS) continue;
      sum.time += performance.now() - began;
      sum.cpu += cpuMs(target.pid) - cpuBefore;
    }
  }
  agent.destroy();
  const count = (ROUNDS - WARM_ROUNDS) * REQUESTS;
  return sums.map(({ time, cpu }) => ({ time: time / count, cpu: cpu / count }));
}

/** Waits until the colours of a list are found out: that goes on behind the scenes and would be measured too. */
async function awaitColors(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}&facets=1`, { headers });
    const { facets } = searchAnswer.parse(await response.json());
    if (facets?.colors_unknown === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** A search that is answered from the cache, whole and as 304, against a bare Next route that sends the same bytes. */
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
