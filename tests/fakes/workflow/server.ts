import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { getResponse } from 'msw';
import { createWorkflowHandlers } from '@/tests/fakes/workflow/handlers';
import { refusal } from '@/tests/fakes/workflow/signed-trigger';
import type { FakeSettings } from '@/tests/fakes/workflow/state';

/** `port` 0 uses any free port. */
export type FakeWorkflowOptions = FakeSettings & { port: number };
export type FakeWorkflow = {
  url: string;
  specUrl: string;
  imageUrl: string;
  port: number;
  stop(): Promise<void>;
};

/**
 * Serves the fake workflow service on 127.0.0.1. Rejects with the socket's error if the port is in use. `stop` drops
 * planned callbacks and cuts open connections.
 */
export async function startFakeWorkflow(options: FakeWorkflowOptions): Promise<FakeWorkflow> {
  const { handlers, stop } = createWorkflowHandlers(options, '');
  const answer = getRequestListener(
    async (request, { incoming }) => {
      const baseUrl = new URL(request.url).origin;
      const response = await getResponse(handlers, request, { baseUrl });
      if (response?.type === 'error') return cutConnection(incoming.socket);
      return response ?? refusal(404, 'there is POST /spec, POST /image, and GET, PUT, DELETE /control');
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    specUrl: `${url}/spec`,
    imageUrl: `${url}/image`,
    port,
    async stop() {
      stop();
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
