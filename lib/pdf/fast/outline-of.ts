import type { PageData } from '@/lib/document/page-model';
import { edgeWidth } from '@/lib/document/sheet-edge';
import type { SheetPlan } from '@/lib/document/sheets';
import type { OutlineEntry } from '../splice/write-outline';

const POINTS_PER_MM = 72 / 25.4;

type Heading = { title: string; level: number; y: number };

function headingsOf(page: PageData): Heading[] {
  return page.elements.flatMap((element) =>
    element.type === 'text'
      ? element.blocks.flatMap((block) => {
          if (block.type !== 'heading') return [];
          const title = block.runs
            .map(({ text }) => text)
            .join('')
            .replace(/\s+/g, ' ')
            .trim();
          return title === '' ? [] : [{ title, level: block.level, y: element.y }];
        })
      : [],
  );
}

/**
 * Returns the headings without the first one that repeats the page's title. For example, the heading of a template
 * repeats the title.
 */
function withoutTitle(headings: Heading[], title: string): Heading[] {
  const repeated = headings.findIndex((heading) => heading.title === title.replace(/\s+/g, ' ').trim());
  return headings.filter((_, index) => index !== repeated);
}

/** Nests each heading below the closest preceding heading of a higher level. */
function nest(headings: (OutlineEntry & { level: number })[]): OutlineEntry[] {
  const outermost: OutlineEntry[] = [];
  const open: { level: number; inner: OutlineEntry[] }[] = [{ level: 0, inner: outermost }];
  for (const { level, ...entry } of headings) {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.at(-1)?.inner.push(entry);
    open.push({ level, inner: entry.inner });
  }
  return outermost;
}

/**
 * Returns the outline of a document. Each sheet has an entry with its title, and the headings of the sheet's page are
 * nested below this entry. All contents sheets share one entry.
 */
export function outlineOf({ sheets, size, edge, pages }: SheetPlan): OutlineEntry[] {
  const points = (mm: number) => (edgeWidth(edge) + size.height - mm) * POINTS_PER_MM;
  return sheets.flatMap((sheet, page) => {
    if (sheet.kind === 'contents' && !sheet.isFirst) return [];
    const headings = sheet.kind === 'page' ? withoutTitle(headingsOf(sheet.page), sheet.title) : [];
    const inner = headings.map(({ y, ...heading }) => {
      const top = points(Math.min(size.height, Math.max(0, pages.top + y * pages.scale)));
      return { ...heading, page, top, inner: [] };
    });
    return [{ title: sheet.title, page, top: points(0), inner: nest(inner) }];
  });
}
