import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const trigger = z.object({ data: z.object({ job_id: z.uuid() }) });

/** Starts a workflow service that accepts every trigger after `delayMs`, and never calls back. */
export async function startSlowWorkflow(delayMs: number) {
  const accepted = new Map<string, number>();
  let opened = Promise.resolve();
  const server = createServer(async (incoming, outgoing) => {
    const { job_id: jobId } = trigger.parse(await json(incoming)).data;
    await opened;
    await sleep(delayMs);
    accepted.set(jobId, (accepted.get(jobId) ?? 0) + 1);
    outgoing.writeHead(202).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/image`,
    /** The number of triggers accepted for each job. */
    accepted,
    /** Holds back all new triggers until the returned function is called; only then does their delay start. */
    pause(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      opened = promise;
      return resolve;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
