import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Selects requests by method, path and body; the body is empty unless it is JSON. */
export type Choice = (method: string, path: string, body: string) => boolean;

/**
 * Selects what to hold: requests before they reach the target, or responses after the target has handled the requests.
 */
export type Side = 'before' | 'after';

type Waiting = { go: () => void; response: ServerResponse };
type Holder = { choice: Choice; side: Side; left: number; held: number; waiting: Set<Waiting> };

export type Hold = {
  /** Returns the number of requests that are currently held. */
  waiting(): number;
  /** Returns the number of requests held so far, including those that have timed out since. */
  held(): number;
  /** Stops holding further requests; those already held stay held. */
  stopHolding(): void;
  /** Passes on the held requests and stops holding further ones. */
  release(): void;
};
export type Gate = Awaited<ReturnType<typeof makeGate>>;

/**
 * Starts a proxy to `target` that can hold requests and responses. A request body that is not JSON is read only when
 * the request is passed on.
 */
export async function makeGate(target: string) {
  const { hostname, port } = new URL(target);
  const holders = new Set<Holder>();
  /** Requests that were passed on and whose responses have not been passed back yet. */
  const passing = new Set<Parameters<Choice>>();

  /**
   * Calls `go` immediately unless a hold selects this request on the given side. In that case, the release of the hold
   * calls `go`.
   */
  function passOrHold(side: Side, request: Parameters<Choice>, { go, response }: Waiting): void {
    const holder = [...holders].find(
      (each) => each.side === side && each.left > 0 && each.choice(...request),
    );
    if (!holder) {
      go();
      return;
    }
    holder.left -= 1;
    holder.held += 1;
    const waiting = { go, response };
    holder.waiting.add(waiting);
    response.on('close', () => holder.waiting.delete(waiting));
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const isJson = headers['content-type']?.startsWith('application/json');
    const body = isJson ? await buffer(request) : undefined;
    const asked: Parameters<Choice> = [method, path, body?.toString() ?? ''];
    const pass = () => {
      passing.add(asked);
      response.on('close', () => passing.delete(asked));
      const onward = send({ hostname, port, method, path, headers }, (answer) => {
        const giveBack = () => {
          if (response.destroyed) {
            answer.destroy();
            return;
          }
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          pipeline(answer, response, () => {});
        };
        passOrHold('after', asked, { go: giveBack, response });
      });
      onward.on('error', () => response.destroy());
      if (body) onward.end(body);
      else pipeline(request, onward, (error) => error && response.destroy());
    };
    passOrHold('before', asked, { go: pass, response });
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  // Keep idle connections open. If the server closed one just as a client sent a request on it, that request would
  // fail.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function release(holder: Holder): void {
    holders.delete(holder);
    for (const { go } of holder.waiting) go();
    holder.waiting.clear();
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Starts holding the selected requests, up to `atMost` of them. */
    hold(choice: Choice, { side = 'before' as Side, atMost = Number.POSITIVE_INFINITY } = {}): Hold {
      const holder: Holder = { choice, side, left: atMost, held: 0, waiting: new Set() };
      holders.add(holder);
      return {
        waiting: () => holder.waiting.size,
        held: () => holder.held,
        stopHolding() {
          holder.left = 0;
        },
        release: () => release(holder),
      };
    },
    /** Returns whether none of the selected requests is at the target and none of their responses is in transit. */
    isClear: (choice: Choice) => ![...passing].some((request) => choice(...request)),
    /** Passes on all held requests and removes all holds. */
    release() {
      for (const holder of [...holders]) release(holder);
    },
    /** Breaks the connections of all held requests and removes all holds. */
    cut() {
      const waiting = [...holders].flatMap((holder) => [...holder.waiting]);
      holders.clear();
      for (const { response } of waiting) response.destroy();
    },
    async end() {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}
