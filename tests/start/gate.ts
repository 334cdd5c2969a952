import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

type Choice = (method: string, path: string) => boolean;

/** A way to `target` on which requests can be held: they have come, and nothing of them is read until they are let go. */
export async function makeGate(target: string) {
  const { hostname, port } = new URL(target);
  const waiting = new Set<() => void>();
  let isHeld: Choice = () => false;

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    const onward = send({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, response, () => {});
    });
    pipeline(request, onward, (error) => error && response.destroy());
  }

  const server = createServer((request, response) => {
    if (!isHeld(request.method ?? '', request.url ?? '')) return pass(request, response);
    const go = () => pass(request, response);
    waiting.add(go);
    response.on('close', () => waiting.delete(go));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on holds those that come and are chosen; who waits already goes on waiting. */
    hold(choice: Choice) {
      isHeld = choice;
    },
    /** How many requests wait. */
    waiting: () => waiting.size,
    letGo() {
      isHeld = () => false;
      for (const go of waiting) go();
      waiting.clear();
    },
    async end() {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}
