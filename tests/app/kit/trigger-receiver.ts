import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Received = { path: string; headers: Record<string, string>; body: Buffer };
type Respond = (answer: { status: number; type?: string; body?: string | Uint8Array }) => void;

/**
 * Starts an HTTP server that records requests and responds through `handle`. If `handle` throws before it responds, the
 * response is a 500.
 */
export async function startReceiver(handle: (received: Received, respond: Respond) => Promise<void>) {
  const received: Received[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const got = { path, headers: headers as Record<string, string>, body: await buffer(request) };
    received.push(got);
    const respond: Respond = ({ status, type = 'application/json', body }) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const work = handle(got, respond).catch((error: unknown) => {
      failures.push(error);
      if (!response.headersSent) response.writeHead(500).end();
    });
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Waits for the requests in progress; then throws the first error of `handle`, if there is one. */
    async settled(): Promise<void> {
      await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}
