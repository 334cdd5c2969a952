import { countOf } from '@/components/format/count';
import { planSheets } from '@/lib/export/document/sheets';
import type { ExportJob, ExportOptions, ExportWarning, ProjectDocument } from '@/lib/export/schema';

type Pages = Pick<ProjectDocument, 'pages'>;
type Printed = Pick<ProjectDocument, 'format' | 'orientation' | 'cover' | 'pages'>;

/** How an export is printed: `A4, landscape, with cover and contents`. */
export function optionsInWords({
  format,
  orientation,
  includecover,
  includeToc,
  quality,
}: ExportOptions): string {
  const extras = [includecover && 'cover', includeToc && 'contents'].filter((extra) => extra !== false);
  const paper = `${format === 'letter' ? 'Letter' : format}, ${orientation}`;
  const kind = quality === 'print' ? paper : `${paper}, for the ${quality}`;
  return extras.length > 0 ? `${kind}, with ${extras.join(' and ')}` : kind;
}

/** How far an export is: words, and its share from 0 to 1 where the document still has about as many sheets. */
export function exportProgress(
  { pagesDone, options }: Pick<ExportJob, 'pagesDone' | 'options'>,
  document: Printed,
): { words: string; share: number | null } {
  const sheets = planSheets(document, '', options).sheets.length;
  // The export is of the document as it was: pages may have come or gone since.
  if (pagesDone > sheets || sheets === 0) return { words: countOf(pagesDone, 'page'), share: null };
  return { words: `${pagesDone} of ${countOf(sheets, 'page')}`, share: pagesDone / sheets };
}

/** Where a warning's page is now: what it is called, and whether it can be gone to. */
export function warningPlace(
  { pageId, elementId }: Pick<ExportWarning, 'pageId' | 'elementId'>,
  { pages }: Pages,
): { words: string; jump: { pageId: string; elementId: string | null } | null } {
  if (pageId === null) return { words: 'Cover', jump: null };
  const index = pages.findIndex(({ id }) => id === pageId);
  const page = pages[index];
  if (!page) return { words: 'A page that is gone', jump: null };
  const element = page.elements.find(({ id }) => id === elementId);
  const words = `Page ${index + 1}${page.title ? ` “${page.title}”` : ''}`;
  return { words, jump: { pageId, elementId: element?.id ?? null } };
}
