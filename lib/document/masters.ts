import { z } from 'zod';
import { mastersBudget, overBudget } from './budget';
import {
  DEFAULT_MASTER,
  type ImageElement,
  NO_MASTER,
  type PageData,
  type PageElement,
  pageData,
  type TextBlock,
  type TextElement,
  type TextRun,
  unique,
} from './page-model';

// A master is a page that is printed behind the content of the sheets that use it. On the cover, it is printed between
// the image and the text. For example, a master can contain a logo, a header or a footer. It is stored in the same form
// as a page, so it is edited, merged and drawn like one. Its `footer`, `inToc` and `masterId` are ignored.

export const MAX_MASTERS = 10;
const MAX_MASTER_ELEMENTS = 30;
/** Maximum number of image elements in all masters of a document together. */
export const MAX_MASTER_IMAGES = 50;
const MAX_PLACEHOLDERS = 50;
const isWhite = (color: string) => color.toLowerCase() === '#ffffff';

/** The placeholders in the text of a master: the page number, the total number of pages, and the page title. */
export const placeholders = { page: '{page}', pages: '{pages}', title: '{title}' } as const;
const PLACEHOLDER = /\{(page|pages|title)\}/g;

const runsOf = (block: TextBlock) => (block.type === 'list' ? block.items.flat() : block.runs);
const isImage = (element: PageElement): element is ImageElement => element.type === 'image';

function placeholderCount(masters: PageData[]): number {
  const texts = masters
    .flatMap(({ elements }) => elements)
    .flatMap((element) => (element.type === 'text' ? element.blocks.flatMap(runsOf) : []));
  return texts.reduce((sum, { text }) => sum + (text.match(PLACEHOLDER)?.length ?? 0), 0);
}

const masterData = pageData.refine(
  ({ elements }) => elements.every(({ type }) => type === 'text' || type === 'image' || type === 'shape'),
  { path: ['elements'], message: 'must be texts, images and shapes' },
);

/** The masters of a document. Their limits are low, because every page can print a master. */
export const documentMasters = z
  .array(masterData)
  .max(MAX_MASTERS, `must have at most ${MAX_MASTERS} masters`)
  .superRefine(unique('master'))
  .refine((masters) => masters.every(({ id }) => id !== NO_MASTER), `must not have the id ${NO_MASTER}`)
  .superRefine((masters, context) => {
    const message = overBudget(masters, mastersBudget, 'masters');
    if (message) context.addIssue({ code: 'custom', message });
  })
  .refine(
    (masters) => masters.every(({ elements }) => elements.length <= MAX_MASTER_ELEMENTS),
    `must have at most ${MAX_MASTER_ELEMENTS} elements each`,
  )
  .refine(
    (masters) => masters.flatMap(({ elements }) => elements).filter(isImage).length <= MAX_MASTER_IMAGES,
    `must have at most ${MAX_MASTER_IMAGES} images`,
  )
  .refine(
    (masters) => placeholderCount(masters) <= MAX_PLACEHOLDERS,
    `must have at most ${MAX_PLACEHOLDERS} placeholders`,
  )
  .prefault([{ id: DEFAULT_MASTER, title: 'Default', elements: [] }]);

/** Returns the master of a page, or null if the page has none or its master prints nothing. */
export function masterOf(masters: readonly PageData[], { masterId }: Pick<PageData, 'masterId'>) {
  const master = masters.find(({ id }) => id === masterId);
  return master && (master.elements.length > 0 || !isWhite(master.background)) ? master : null;
}

/** Returns the background to print on a page. A white page shows the background of its master. */
export function backgroundOf(page: PageData, master: PageData | null): string {
  return isWhite(page.background) && master ? master.background : page.background;
}

/** The values of a master's placeholders on one page. */
export type PlaceholderValues = { number: number; count: number; title: string };

function filledRun(run: TextRun, { number, count, title }: PlaceholderValues): TextRun {
  const text = run.text.replace(PLACEHOLDER, (_, name) =>
    name === 'title' ? title : String(name === 'page' ? number : count),
  );
  // Everything in a master is an artifact in the PDF, and an artifact cannot be a link.
  return text === run.text && run.link === null ? run : { ...run, text, link: null };
}

function filledText(element: TextElement, values: PlaceholderValues): TextElement {
  const fill = (runs: TextRun[]) => runs.map((run) => filledRun(run, values));
  const blocks = element.blocks.map((block) =>
    block.type === 'list' ? { ...block, items: block.items.map(fill) } : { ...block, runs: fill(block.runs) },
  );
  return { ...element, blocks };
}

/** Returns a master as it is printed on one page. Links in it are printed as text. */
export function filledMaster(master: PageData, values: PlaceholderValues): PageData {
  const elements = master.elements.map((element) =>
    element.type === 'text' ? filledText(element, values) : element,
  );
  return { ...master, elements };
}
