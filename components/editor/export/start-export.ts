import type { createSubmitOnce } from '@/hooks/submit-once';
import type { DocumentKey } from '@/lib/document/document-key';
import type { ExportPayload } from '@/lib/export/schema';
import type { EditorStore } from '../editor-store';
import { postExport } from './export-calls';

type ExportStart = DocumentKey & {
  store: EditorStore;
  /** Saves pending changes. */
  flush: () => Promise<void>;
  options: ExportPayload['options'];
  submitOnce: ReturnType<typeof createSubmitOnce>;
};

/**
 * Saves the open document and starts an export of it. The request contains the pages. The server takes the settings
 * from the stored document.
 */
export async function startExport({ store, flush, submitOnce, ...request }: ExportStart): Promise<void> {
  await flush();
  // Read the pages only now, because saving can merge someone else's version.
  const payload = { ...request, pages: store.get().document.pages };
  await submitOnce(JSON.stringify(payload), (key) => postExport(payload, key));
}
