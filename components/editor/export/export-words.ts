import { countOf } from '@/components/format/count';
import type { ExportOptions, ExportWarning, ProjectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import type { ExportJob } from '@/lib/export/schema';
import { wordsFor } from '../element-words';

type Pages = Pick<ProjectDocument, 'pages'>;
type Printed = Pick<ProjectDocument, 'format' | 'orientation' | 'language' | 'cover' | 'pages'>;

/** Describes the options of an export: `A4, landscape, with cover and contents`. */
export function optionsInWords({
  format,
  orientation,
  includecover,
  includeToc,
  quality,
  pages,
  bleed,
  cropMarks,
  pureBlack,
  pdfA,
}: ExportOptions): string {
  const extras = [
    includecover && 'cover',
    includeToc && 'contents',
    bleed > 0 && `${bleed} mm bleed`,
    cropMarks && 'crop marks',
    pureBlack && 'pure black text',
  ].filter((extra) => extra !== false);
  const kind = [
    format === 'letter' ? 'Letter' : format,
    orientation,
    pages !== null && `pages ${pages}`,
    quality !== 'print' && `${quality} quality`,
    pdfA && 'PDF/A-2a',
  ]
    .filter((part) => part !== false)
    .join(', ');
  const last = extras.pop();
  if (last === undefined) return kind;
  return `${kind}, with ${extras.length > 0 ? `${extras.join(', ')} and ${last}` : last}`;
}

/**
 * Returns an export's progress as text and as a share from 0 to 1. The share is null if the document's sheet count no
 * longer matches the export.
 */
export function exportProgress(
  { pagesDone, options }: Pick<ExportJob, 'pagesDone' | 'options'>,
  document: Printed,
): { words: string; share: number | null } {
  const sheets = planSheets(document, '', options).sheets.length;
  // Pages may have been added or removed since the export started.
  if (pagesDone > sheets || sheets === 0) return { words: countOf(pagesDone, 'page'), share: null };
  return { words: `${pagesDone} of ${countOf(sheets, 'page')}`, share: pagesDone / sheets };
}

/** Returns the label of a warning's page and element, and what to open: `jump` is null for the cover and for deleted pages. */
export function warningPlace(
  { pageId, elementId }: Pick<ExportWarning, 'pageId' | 'elementId'>,
  { pages }: Pages,
): { words: string; jump: { pageId: string; elementId: string | null } | null } {
  if (pageId === null) return { words: 'Cover', jump: null };
  const index = pages.findIndex(({ id }) => id === pageId);
  const page = pages[index];
  if (!page) return { words: 'Deleted page', jump: null };
  const element = page.elements.find(({ id }) => id === elementId);
  const words = [`Page ${index + 1}${page.title ? ` “${page.title}”` : ''}`, element && wordsFor(element)];
  return { words: words.filter(Boolean).join(', '), jump: { pageId, elementId: element?.id ?? null } };
}
