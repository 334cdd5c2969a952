import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { getResponse } from 'msw';
import { createMatlibHandlers } from '@/tests/fakes/matlib/handlers';
import type { FakeSettings } from '@/tests/fakes/matlib/state';

/** `port` 0 uses any free port. */
export type FakeMatlibOptions = FakeSettings & { port: number };
export type FakeMatlib = { url: string; host: string; port: number; stop(): Promise<void> };

/**
 * Serves the fake material library on 127.0.0.1: its API, its images and its files. Rejects with the socket's error if
 * the port is in use. `stop` cuts open connections.
 */
export async function startFakeMatlib(options: FakeMatlibOptions): Promise<FakeMatlib> {
  const handlers = createMatlibHandlers(options, '');
  const answer = getRequestListener(
    async (request, { incoming }) => {
      const baseUrl = new URL(request.url).origin;
      const response = await getResponse(handlers, request, { baseUrl });
      if (response?.type === 'error') return cutConnection(incoming.socket);
      return response ?? new Response('Not found', { status: 404, headers: { 'content-type': 'text/html' } });
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Cuts the connection to simulate a network error, which cannot be sent as a response. */
function cutConnection(socket: { destroy(): unknown }): Response {
  socket.destroy();
  return new Response(null);
}
