import type { Browser } from 'puppeteer-core';
import { sharedValue } from '@/lib/process/shared-value';
import { groupMemory } from './chromium/group-memory';

const WATCH_MS = 200;

/**
 * The browser exceeded its memory limit, and the printed document is blamed for it. If `isAlone`, the browser was
 * printing no other document, so another attempt would exceed the limit too.
 */
export class MemoryExceeded extends Error {
  override name = 'MemoryExceeded';
  readonly maxBytes: number;
  readonly isAlone: boolean;
  constructor(maxBytes: number, isAlone: boolean) {
    super(`Printing needs more than ${Math.round(maxBytes / 1024 / 1024)} MB of memory.`);
    this.maxBytes = maxBytes;
    this.isAlone = isAlone;
  }
}
/** Thrown when the browser was killed because of its memory limit and another document is blamed. */
export class EndedForAnother extends Error {
  override name = 'EndedForAnother';
  constructor() {
    super('The browser was stopped because of another document.');
  }
}

type Print = { owner: object; size: number; end: (isBlamed: boolean, isAlone: boolean) => void };
type Watch = { maxBytes: number; prints: Set<Print>; start: () => void };

const watched = sharedValue('watched-browsers', () => new WeakMap<Browser, Watch>());

/**
 * Limits the memory of a browser while it prints. Kills the browser when all of its processes together use more than
 * `maxBytes`. The prints of the document with the longest HTML then fail with `MemoryExceeded`, and all other prints
 * fail with `EndedForAnother`. If several documents were printing, the blamed document may not be the cause, because
 * the length of the HTML says little about memory use.
 */
export function boundMemory(
  browser: Browser,
  { pid, kill, maxBytes }: { pid: number; kill: () => void; maxBytes: number },
): void {
  const prints = new Set<Print>();
  let isWatching = false;
  const end = () => {
    const sizes = new Map<object, number>();
    for (const { owner, size } of prints) sizes.set(owner, (sizes.get(owner) ?? 0) + size);
    const [largest] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
    for (const print of prints) print.end(print.owner === largest, sizes.size === 1);
    kill();
  };
  const look = async () => {
    const bytes = await groupMemory(pid);
    if (bytes > maxBytes && prints.size > 0) end();
    isWatching = false;
    start();
  };
  const start = () => {
    if (isWatching || prints.size === 0) return;
    isWatching = true;
    setTimeout(look, WATCH_MS);
  };
  watched.set(browser, { maxBytes, prints, start });
}

/**
 * Registers a print with a browser. `owner` identifies the document that the print belongs to, and `size` is the length
 * of the print's HTML. The returned `signal` aborts when the browser exceeds its memory limit. Call the returned `end`
 * when the print is finished.
 */
export function registerPrint(
  browser: Browser,
  owner: object,
  size: number,
): { signal: AbortSignal; end: () => void } {
  const ended = new AbortController();
  const watch = watched.get(browser);
  if (!watch) return { signal: ended.signal, end: () => {} };
  // Create the error here, because `boundMemory` may have been called in another bundle, whose error classes differ.
  const end = (isBlamed: boolean, isAlone: boolean) =>
    ended.abort(isBlamed ? new MemoryExceeded(watch.maxBytes, isAlone) : new EndedForAnother());
  const print = { owner, size, end };
  watch.prints.add(print);
  watch.start();
  return { signal: ended.signal, end: () => void watch.prints.delete(print) };
}
