import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/**
 * Returns a transport to a browser that was started with `--remote-debugging-pipe`. Both sides send JSON messages, each
 * followed by a NUL byte.
 */
export function pipeTransport(toBrowser: Writable, fromBrowser: Readable): ConnectionTransport {
  let pieces: Buffer[] = [];
  const transport: ConnectionTransport = {
    send(message) {
      toBrowser.write(`${message}\0`);
    },
    close() {
      toBrowser.end();
      fromBrowser.destroy();
    },
  };
  // A browser that exits closes both streams. Errors of the streams can be ignored, because `onclose` reports the exit.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  fromBrowser.on('close', () => transport.onclose?.());
  fromBrowser.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8');
      pieces = [];
      rest = rest.subarray(end + 1);
      // Deliver each message in its own macrotask. A response settles a promise, and that promise's callbacks must run
      // before the next message arrives.
      setImmediate(() => transport.onmessage?.(message));
    }
    if (rest.length > 0) pieces.push(rest);
  });
  return transport;
}
