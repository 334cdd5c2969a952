import { countOf } from '@/components/format/count';
import { shiftedRange } from '@/lib/document/page-range';
import type { ExportOptions, ExportWarning } from '@/lib/document/schema';
import { type PlannedDocument, pageNumber, sheetCount } from '@/lib/document/sheets';
import type { ExportJob } from '@/lib/export/schema';
import { elementLabel } from '../element-labels';
import { paperLabel } from '../paper-label';

/**
 * Returns a description of an export's options, for example `A4, landscape, with cover and contents`. Page numbers are
 * those printed in the PDF.
 */
export function describeOptions(
  options: ExportOptions,
  document: Pick<PlannedDocument, 'margin' | 'pages'>,
): string {
  const { includecover, includeToc, quality, pages, bleed, cropMarks, pureBlack, pdfA, ...paper } = options;
  const extras = [
    includecover && 'cover',
    includeToc && 'contents',
    bleed > 0 && `${bleed} mm bleed`,
    cropMarks && 'crop marks',
    pureBlack && 'pure black text',
  ].filter((extra) => extra !== false);
  const kind = [
    paperLabel(paper),
    pages !== null && `pages ${shiftedRange(pages, pageNumber(document, options, 0) - 1)}`,
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
 * Returns an export's progress as text and as a share from 0 to 1. The share is null if `document` now yields no
 * sheets, or fewer sheets than `pagesDone`.
 */
export function exportProgress(
  { pagesDone, options }: Pick<ExportJob, 'pagesDone' | 'options'>,
  document: PlannedDocument,
): { text: string; share: number | null } {
  const sheets = sheetCount(document, options);
  // Pages may have been removed since the export started.
  if (pagesDone > sheets || sheets === 0) return { text: countOf(pagesDone, 'page'), share: null };
  return { text: `${pagesDone} of ${countOf(sheets, 'page')}`, share: pagesDone / sheets };
}

/** What a warning links to: a page or a master, and perhaps one of its elements. */
export type WarningJump = { pageId: string; elementId: string | null };

/**
 * Returns the location of a warning. `text` names the place; page numbers are those printed in the PDF. `jump` is the
 * target of the warning's link. For a deleted page, `jump` is null. For the cover, the contents and the document as a
 * whole, `jump` is null and `text` is `Document`; the warning's message names the place.
 */
export function warningLocation(
  { pageId, elementId }: Pick<ExportWarning, 'pageId' | 'elementId'>,
  document: Pick<PlannedDocument, 'margin' | 'masters' | 'pages'>,
  options: ExportOptions,
): { text: string; jump: WarningJump | null } {
  if (pageId === null) return { text: 'Document', jump: null };
  const { masters, pages } = document;
  const index = pages.findIndex(({ id }) => id === pageId);
  const page = pages[index];
  const master = masters.find(({ id }) => id === pageId);
  if (!page && master) return { text: `Master “${master.title}”`, jump: { pageId, elementId } };
  if (!page) return { text: 'Deleted page', jump: null };
  const element = page.elements.find(({ id }) => id === elementId);
  const number = pageNumber(document, options, index);
  const parts = [`Page ${number}${page.title ? ` “${page.title}”` : ''}`, element && elementLabel(element)];
  return { text: parts.filter(Boolean).join(', '), jump: { pageId, elementId: element?.id ?? null } };
}
