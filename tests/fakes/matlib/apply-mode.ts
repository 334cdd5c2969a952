import { setTimeout as pause } from 'node:timers/promises';
import { HttpResponse } from 'msw';
import type { FakeState, Mode } from '@/tests/fakes/matlib/state';

const page = (text: string) => `<!doctype html><html><body><h1>${text}</h1></body></html>`;

function html(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new HttpResponse(page(text), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

/** Returns a stream that sends the first half of a body and then stays open. */
function stalled(body: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2))),
  });
}

/**
 * Returns the response that a mode calls for; some modes derive it from the correct response, which `good` creates. As
 * in the real library, errors are HTML pages, whose text must not reach Atelier's clients.
 */
export async function applyMode(
  state: FakeState,
  mode: Mode,
  good: () => Promise<Response> | Response,
): Promise<Response> {
  const { delayMs, retryAfterS } = state.behavior;
  switch (mode) {
    case 'ok':
    case 'shrunk':
      return good();
    case 'slow':
      await pause(delayMs);
      return good();
    case 'stall': {
      const response = await good();
      return new HttpResponse(stalled(await response.text()), { status: 200, headers: response.headers });
    }
    case 'limit':
      return html('Too many requests to upstream-node-7', 429);
    case 'limit-seconds':
      return html('Too many requests to upstream-node-7', 429, { 'retry-after': String(retryAfterS) });
    case 'limit-date':
      return html('Too many requests to upstream-node-7', 429, {
        'retry-after': new Date(Date.now() + retryAfterS * 1_000).toUTCString(),
      });
    case 'error':
      return html('Internal error at upstream-node-7', 500);
    case 'unavailable':
      return html('upstream-node-7 is away', 503);
    case 'html':
      return html('Please enable cookies', 200);
    case 'truncated': {
      const text = await (await good()).text();
      return new HttpResponse(text.slice(0, text.length / 2), {
        headers: { 'content-type': 'application/json; charset=utf-8' },
      });
    }
    case 'garbage':
      return HttpResponse.json(['not', 'what', 'was', 'asked', 'for']);
    case 'redirect':
      return new HttpResponse(null, { status: 302, headers: { location: '/ping' } });
    case 'down':
      return HttpResponse.error();
  }
}
