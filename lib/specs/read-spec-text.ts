import type { WorkHandler, WorkItem } from '@/lib/queue/work';
import { spoolObject } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { type PageText, type PdfText, readText } from './pdf/read-text';
import type { TextState } from './schema';
import { MAX_SPEC_BYTES } from './size-limit';

/** The maximum number of characters that one database call stores. */
const SLICE_CHARS = 400_000;

function* slicesOf(pages: PageText[]): Generator<PageText[]> {
  let slice: PageText[] = [];
  let chars = 0;
  for (const page of pages) {
    if (chars > 0 && chars + page.text.length > SLICE_CHARS) {
      yield slice;
      [slice, chars] = [[], 0];
    }
    slice.push(page);
    chars += page.text.length;
  }
  if (slice.length > 0) yield slice;
}

const NOTHING: PdfText = { pages: [], sections: [], isComplete: false };

/** Returns the text of a PDF in storage, or no text if the file is missing. Throws `unavailable`. */
async function readPdf(path: string, signal: AbortSignal): Promise<PdfText> {
  const file = await spoolObject(path, MAX_SPEC_BYTES, signal);
  if (!file) return NOTHING;
  try {
    return await readText(file.handle.fd, signal);
  } finally {
    await file.handle.close();
  }
}

function stateOf({ pages, isComplete }: PdfText): TextState {
  if (pages.length > 0) return 'done';
  return isComplete ? 'none' : 'failed';
}

async function store(item: WorkItem, text: PdfText): Promise<void> {
  const db = adminDb();
  const lease = { p_id: item.id, p_token: item.leaseToken };
  for (const slice of slicesOf(text.pages)) {
    if (!dataOf(await db.rpc('store_spec_pages', { ...lease, p_pages: slice }))) return;
  }
  dataOf(
    await db.rpc('finish_spec_text', {
      ...lease,
      p_state: stateOf(text),
      p_pages: text.pages.at(-1)?.page ?? 0,
      p_sections: text.sections,
    }),
  );
}

async function run(item: WorkItem, signal: AbortSignal): ReturnType<WorkHandler> {
  const [document] = dataOf(
    await adminDb().from('documents').select('storage_path').eq('id', item.subjectId).limit(1),
  );
  if (document) await store(item, await readPdf(document.storage_path, signal));
  return { type: 'closed' };
}

/**
 * Reads the text of a spec's PDF and the sections in its outline. Stores the text. Also stores the sections, unless the
 * workflow service has already reported some. A failure does not affect the spec's runs. Each server process reads one
 * PDF at a time, because reading a PDF takes up a processor core.
 */
export const readSpecText: WorkHandler = Object.assign(run, { parallel: 1 });
