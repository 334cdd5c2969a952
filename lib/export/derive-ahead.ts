import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentKey } from '@/lib/document/document-key';
import type { StoredImage } from '@/lib/document/schema';
import { planSheets, type SheetPlan } from '@/lib/document/sheets';
import type { Bytes } from '@/lib/http/join-bytes';
import { logger } from '@/lib/log/logger';
import type { DerivativeStore } from '@/lib/pdf/images/derivative-store';
import { type ImageSettings, printedImages } from '@/lib/pdf/printed-images';
import { sharedValue } from '@/lib/process/shared-value';
import { readObject } from '@/lib/storage/objects';
import { derivatives } from './derivatives';
import type { onlyImages } from './only-images';
import { printOptions } from './schema';
import { findDrawings, findImages } from './snapshot';

/** The pause before each document. Saves are often only seconds apart, and only the last one counts. */
const PAUSE_MS = 5_000;
const MAX_MS = 5 * 60_000;
/** The maximum number of waiting documents. */
const MAX_WAITING = 16;
/** The maximum size of a waiting document, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

type Find = (saved: Bytes) => Promise<ReturnType<typeof onlyImages>>;
type Waiting = { projectId: string; saved: Bytes; find: Find };
type State = { waiting: Map<string, Waiting>; isRunning: boolean };

/**
 * Derives the images that are needed to export this plan in `print` quality. Derives one image at a time and adds it to
 * `store`. Throws the first error.
 */
export async function deriveImages(
  plan: SheetPlan,
  files: StoredImage[],
  { store, readFile, drawings }: Pick<ImageSettings, 'readFile' | 'drawings'> & { store: DerivativeStore },
): Promise<void> {
  const over = new AbortController();
  const folder = await store.makeFolder();
  try {
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(MAX_MS)]);
    const limits = { maxBytes: Number.POSITIVE_INFINITY, parallel: 1 };
    const images = printedImages(plan, files, {
      quality: 'print',
      ...limits,
      readFile,
      drawings,
      store,
      folder,
      signal,
    });
    await images.ready(plan.sheets);
  } finally {
    over.abort(new Error('no longer needed'));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function deriveFor({ projectId, saved, find }: Waiting): Promise<void> {
  const { document, keys } = await find(saved);
  const files = await findImages(projectId, keys);
  if (files.length === 0) return;
  const plan = planSheets(document, '', printOptions({}, document));
  const drawings = await findDrawings(projectId, files);
  await deriveImages(plan, files, { store: derivatives(), readFile: readObject, drawings });
}

async function run(state: State): Promise<void> {
  for (;;) {
    // Unreferenced, so that the timer does not keep the process from exiting.
    await pause(PAUSE_MS, undefined, { ref: false });
    const [next] = state.waiting;
    if (!next) break;
    const [documentId, document] = next;
    state.waiting.delete(documentId);
    // A failure needs no retry, because the export derives missing images itself.
    await deriveFor(document).catch((error: unknown) => {
      logger().debug({ error, documentId }, 'images were not derived ahead');
    });
  }
  state.isRunning = false;
}

/**
 * Derives the images of a saved document in the background, so that they are ready for its next export. Returns
 * immediately. A save replaces an earlier save of the same document that is still waiting. Skips a document that is
 * larger than `MAX_BYTES` or that arrives while `MAX_WAITING` others are waiting. Waiting documents are lost if the
 * process ends. The export itself derives any images that are missing. `find` runs `onlyImages` in a worker thread.
 */
export function deriveAhead(
  { projectId, documentId = projectId }: DocumentKey,
  saved: Bytes,
  find: Find,
): void {
  const state = sharedValue<State>('derive-ahead', () => ({ waiting: new Map(), isRunning: false }));
  state.waiting.delete(documentId);
  if (saved.byteLength > MAX_BYTES || state.waiting.size >= MAX_WAITING) return;
  state.waiting.set(documentId, { projectId, saved, find });
  if (state.isRunning) return;
  state.isRunning = true;
  void run(state);
}
