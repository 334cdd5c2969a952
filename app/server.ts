import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import next from 'next';
import { logError } from '@/lib/log/log-error';
import { logger } from '@/lib/log/logger';
import { refuse, refuseUnparsed, secure, trimCallbackUrl } from './before-next';
import { logConsole } from './log-console';
import { startWork } from './start-work';

// Entry point of the app process, which serves the pages and the API and runs background work. On SIGTERM or SIGINT, it
// stops accepting connections, sends the responses that it owes, returns unfinished work to the queue, and exits.

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
    dev: { type: 'boolean', default: false },
  },
});
const { host, dev } = values;
const port = Number(values.port);

/**
 * Milliseconds for which a connection stays open between requests. Common proxies and clients close it sooner, so they
 * do not send a request just as this server closes the connection.
 */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds that this process may take to stop after its launcher was killed. */
const ORPHAN_MS = 5_000;

if (!dev) logConsole();
// Only the development tools of Next use WebSockets.
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, shouldUpgradeCallback: () => dev }, serve);
const app = next({ dev, hostname: host, port, httpServer: server });
const handle = app.getRequestHandler();
const working = startWork();
// The server listens at once, and requests wait until they can be handled.
const ready = Promise.all([app.prepare(), working]);
const sockets = new Set<Socket>();
let isStopping = false;

function fail(error: unknown): void {
  logError(logger(), error, 'the app could not start');
  process.exit(1);
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  // While the server stops, each connection closes after its response. A load balancer would otherwise never stop
  // sending requests on an open connection.
  if (isStopping) response.setHeader('connection', 'close');
  response.once('close', () => isStopping && setImmediate(() => server.closeIdleConnections()));
  trimCallbackUrl(request);
  secure(request, response);
  if (!refuse(request, response)) void ready.then(() => handle(request, response));
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const closed = new Promise<void>((done) => server.close(() => done()));
  // Browsers open some connections in advance. The server would wait for the first request on each of them. The
  // development tools keep their connections open.
  for (const socket of sockets) if (dev || socket.bytesRead === 0) socket.destroy();
  const endWork = await working;
  await Promise.all([closed, endWork()]);
  await app.close();
  process.exit(0);
}

ready.catch(fail);
server.on('error', fail);
server.on('clientError', refuseUnparsed);
server.on('connection', (socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), ORPHAN_MS).unref();
  void stop();
});
server.listen(port, host);
