import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const trigger = z.object({ data: z.object({ job_id: z.uuid() }) });

/** The fractional part of the golden ratio. Its multiples modulo 1 are spread evenly, in an irregular order. */
const SPREAD = 0.618_033_988_75;

/**
 * Starts a workflow service that accepts every trigger and never calls back. It responds after `meanMs` milliseconds,
 * plus or minus up to 25%, so that responses do not arrive in waves.
 */
export async function startSlowWorkflow(meanMs: number) {
  const accepted = new Map<string, number>();
  const acceptedAt: number[] = [];
  let received = 0;
  const server = createServer(async (incoming, outgoing) => {
    const { job_id: jobId } = trigger.parse(await json(incoming)).data;
    received += 1;
    await sleep(meanMs * (0.75 + ((received * SPREAD) % 1) / 2));
    accepted.set(jobId, (accepted.get(jobId) ?? 0) + 1);
    acceptedAt.push(performance.now());
    outgoing.writeHead(202).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/image`,
    /** The number of triggers accepted for each job. */
    accepted,
    /** When each trigger was accepted, in the milliseconds of `performance.now()`. */
    acceptedAt,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
