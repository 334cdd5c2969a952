import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { makeLibrary } from '@/tests/fakes/matlib/make-library';
import type { SampleFile } from '@/tests/fakes/matlib/sample-file';

const LISTED_REQUESTS = 2_000;

/** How the fake responds to a request. */
export const modes = [
  'ok',
  'slow', // like ok, but after `delayMs`
  'stall', // half of the body, then silence
  'limit', // 429 without Retry-After
  'limit-seconds', // 429 with Retry-After in seconds
  'limit-date', // 429 with Retry-After as a date
  'error', // 500 with an HTML page
  'unavailable', // 503 with an HTML page
  'html', // 200 with an HTML page
  'truncated', // the first half of the JSON
  'garbage', // JSON of the wrong shape
  'shrunk', // a list with only half of its assets
  'redirect', // 302 to another route
  'down', // no response, the connection is cut
] as const;
export type Mode = (typeof modes)[number];

export const kinds = ['list', 'info', 'files', 'image', 'download'] as const;
export type Kind = (typeof kinds)[number];

export const behaviorSchema = z.strictObject({
  mode: z.enum(modes),
  /** The kinds of requests that the mode applies to. */
  on: z.array(z.enum(kinds)),
  /** The mode applies only to paths that contain this; null for all paths. */
  match: z.string().min(1).nullable(),
  /** The mode applies to this many more requests; null for all. */
  times: z.int().min(0).nullable(),
  delayMs: z.int().min(0).max(3_600_000),
  retryAfterS: z.int().min(0),
  /** Added to every download count, so that each revision produces a different list. */
  revision: z.int().min(0),
  /** Ids of assets that the lists leave out. All other requests for these assets get 404. */
  hidden: z.array(z.string()),
  /** Ids of assets whose images have changed. */
  repainted: z.array(z.string()),
  /** Ids of scheduled assets that count as published. */
  published: z.array(z.string()),
});
export type Behavior = z.infer<typeof behaviorSchema>;

export type RequestEvent = {
  at: string;
  kind: Kind;
  path: string;
  userAgent: string | null;
  ifNoneMatch: string | null;
  mode: Mode;
};

const usual: Behavior = {
  mode: 'ok',
  on: ['list', 'info', 'files'],
  match: null,
  times: null,
  delayMs: 3_000,
  retryAfterS: 7,
  revision: 0,
  hidden: [],
  repainted: [],
  published: [],
};

export type FakeSettings = {
  mode?: Mode;
  /** The share of the library's assets to generate. The default is 1, all of them. */
  share?: number;
  log?: (line: string) => void;
};
export type FakeState = ReturnType<typeof createFakeState>;

/** Creates the state of the fake: the generated library, the behavior, and the most recent requests. */
export function createFakeState(settings: FakeSettings) {
  const fresh = () => ({
    behavior: { ...usual, mode: settings.mode ?? 'ok' },
    counts: { list: 0, info: 0, files: 0, image: 0, download: 0 } as Record<Kind, number>,
    requests: [] as RequestEvent[],
  });
  const state = {
    library: makeLibrary(settings.share),
    bodies: new LRUCache<string, { text: string; etag: string }>({ max: 24 }),
    pictures: new LRUCache<string, SampleFile>({
      maxSize: 64 * 1024 * 1024,
      sizeCalculation: (file) => file.bytes.byteLength,
    }),
    ...fresh(),
  };
  return Object.assign(state, {
    reset: () => {
      Object.assign(state, fresh());
    },
  });
}

/**
 * Records a request and returns the mode of its response. If the behavior applies to the request and `times` is not
 * null, lowers `times` by 1.
 */
export function takeMode(state: FakeState, kind: Kind, request: Request): Mode {
  const { behavior } = state;
  const { pathname, search } = new URL(request.url);
  const isMeant =
    behavior.on.includes(kind) && behavior.times !== 0 && pathname.includes(behavior.match ?? '');
  const mode = isMeant ? behavior.mode : 'ok';
  if (isMeant && behavior.times !== null) behavior.times -= 1;
  state.counts[kind] += 1;
  state.requests.push({
    at: new Date().toISOString(),
    kind,
    path: pathname + search,
    userAgent: request.headers.get('user-agent'),
    ifNoneMatch: request.headers.get('if-none-match'),
    mode,
  });
  if (state.requests.length > LISTED_REQUESTS) state.requests.shift();
  return mode;
}
