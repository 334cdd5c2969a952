import type { PageData, PageElement, TextBlock, TextRun } from '../page-model';
import type { Sheet } from '../sheets';
import type { Hyphenate } from './hyphenator';

const hasHyphens = ({ elements }: PageData) =>
  elements.some((element) => element.type === 'text' && element.hyphenate);

/** Returns whether the `hyphenate` setting of any text element of a sheet or its master is on. */
export function hasHyphenation(sheet: Sheet): boolean {
  return (
    (sheet.kind === 'page' && hasHyphens(sheet.page)) || (sheet.master !== null && hasHyphens(sheet.master))
  );
}

function hyphenatedBlock(block: TextBlock, hyphenate: Hyphenate): TextBlock {
  const inRuns = (runs: TextRun[]) => runs.map((run) => ({ ...run, text: hyphenate(run.text) }));
  if (block.type === 'heading') return block;
  return block.type === 'list'
    ? { ...block, items: block.items.map(inRuns) }
    : { ...block, runs: inRuns(block.runs) };
}

// Keeps one result per element, so that an element does not render again when another element changes.
const cache = new WeakMap<Hyphenate, WeakMap<PageElement, PageElement>>();

function hyphenatedElement(element: PageElement, hyphenate: Hyphenate): PageElement {
  if (element.type !== 'text' || !element.hyphenate) return element;
  const elements = cache.get(hyphenate) ?? new WeakMap<PageElement, PageElement>();
  cache.set(hyphenate, elements);
  const hyphenated = elements.get(element) ?? {
    ...element,
    blocks: element.blocks.map((block) => hyphenatedBlock(block, hyphenate)),
  };
  elements.set(element, hyphenated);
  return hyphenated;
}

function hyphenatedPage(page: PageData, hyphenate: Hyphenate): PageData {
  if (!hasHyphens(page)) return page;
  return { ...page, elements: page.elements.map((element) => hyphenatedElement(element, hyphenate)) };
}

/**
 * Returns a sheet with soft hyphens in the paragraphs and lists of elements whose `hyphenate` setting is on. Headings
 * are not hyphenated.
 */
export function hyphenatedSheet(sheet: Sheet, hyphenate: Hyphenate): Sheet {
  if (!hasHyphenation(sheet)) return sheet;
  const master = sheet.master && hyphenatedPage(sheet.master, hyphenate);
  if (sheet.kind !== 'page') return { ...sheet, master };
  return { ...sheet, page: hyphenatedPage(sheet.page, hyphenate), master };
}
