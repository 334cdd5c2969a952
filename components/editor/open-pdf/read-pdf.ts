import { MAX_PDF_BYTES, type OpenedDocument, openedDocument } from '@/lib/export/schema';
import { sendForm } from '@/lib/http/upload';

/** Returns whether a file is a PDF, by its type or name. */
export function isPdf({ type, name }: Pick<File, 'type' | 'name'>): boolean {
  return type === 'application/pdf' || /\.pdf$/i.test(name);
}

/** Returns a message that says why a file cannot be uploaded, or null if it can. */
export function pdfRefusal(file: Pick<File, 'type' | 'name' | 'size'>): string | null {
  if (!isPdf(file)) return `${file.name} is not a PDF.`;
  return file.size > MAX_PDF_BYTES ? `A PDF can have at most ${MAX_PDF_BYTES >> 20} MB.` : null;
}

/** Uploads an exported PDF and returns the editable document embedded in it. */
export function readDocumentOfPdf(
  projectId: string,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<OpenedDocument> {
  const form = new FormData();
  form.set('file', file, file.name);
  return sendForm(`/api/projects/${projectId}/pages/from-pdf`, {
    form,
    schema: openedDocument,
    signal,
    onProgress: (sent, total) => onProgress(sent / total),
  });
}
