import { newKey } from '@/hooks/new-key';
import { freshId } from '@/lib/document/fresh-ids';
import { documentMasters, masterOf } from '@/lib/document/masters';
import { isSame } from '@/lib/document/merge/same-value';
import { DEFAULT_MASTER, NO_MASTER, type PageData, type PageElement } from '@/lib/document/page-model';
import { projectFontNames } from '@/lib/document/project-fonts';
import { elementTexts } from '@/lib/document/sheet-texts';
import { flowIdsOf, standalonePage, withoutTakenFlows } from '@/lib/document/table-flow';
import type { PageTemplateContent } from '@/lib/export/page-templates/schema';
import type { CopiedImages } from '@/lib/projects/copies/schema';
import { type EditorDocument, limitMessage } from '../editor-change';
import { fitPaper } from '../fit-paper';
import { withCopies } from '../paste/paste-images';

/**
 * Returns a page as a template with the document's paper. If the page's master prints anything, the template includes
 * the master. A template has no list of styles, but its elements store the values of their styles. A table that spans
 * pages keeps only the rows that the page shows.
 */
export function templateOf(document: EditorDocument, page: PageData): PageTemplateContent {
  const { format, orientation, customSize } = document;
  const master = masterOf(document.masters, page);
  return {
    format,
    orientation,
    customSize,
    pages: [standalonePage(page, document.pages)],
    masters: master ? [master] : [],
  };
}

/** Returns the elements of a template's masters and pages. */
export function elementsOfTemplate({ pages, masters }: PageTemplateContent): PageElement[] {
  return [...masters, ...pages].flatMap(({ elements }) => elements);
}

/**
 * Returns a template with its images replaced by the copies in this project. `leftOut` is a message about images that
 * could not be copied, or null if all were copied.
 */
export function withCopiedImages(
  content: PageTemplateContent,
  copied: CopiedImages,
): { content: PageTemplateContent; leftOut: string | null } {
  const filled = (page: PageData) => ({ ...page, elements: withCopies(page.elements, copied).elements });
  return {
    content: { ...content, pages: content.pages.map(filled), masters: content.masters.map(filled) },
    leftOut: withCopies([], copied).leftOut,
  };
}

/** Returns a message about project fonts that a template uses but that `known` lacks, or null if there are none. */
export function missingFontsOf(
  content: PageTemplateContent,
  known: readonly { name: string }[],
): string | null {
  const names = projectFontNames(elementsOfTemplate(content).flatMap(elementTexts)).filter(
    (name) => !known.some((font) => font.name === name),
  );
  if (names.length === 0) return null;
  const fonts = names.map((name) => `“${name}”`).join(', ');
  return `This project does not have ${names.length === 1 ? 'the font' : 'the fonts'} ${fonts}. The text is set in Noto Sans.`;
}

/**
 * The result of adding a template. If its pages were added, `pageId` is the id of the first added page, and `notice` is
 * a message if a master was left out, or null if none was. If no pages were added, `refused` is a message that says
 * why.
 */
type Added = { document: EditorDocument; pageId: string; notice: string | null } | { refused: string };

/**
 * Adds the pages of a template after the page with the id `after`, or at the end if there is no such page. Scales the
 * pages to the document's paper. Adds their masters unless the document contains equal ones. If a master would exceed a
 * limit of the document, the pages that use it get the default master instead, and `notice` says so.
 */
export function addTemplate(
  document: EditorDocument,
  content: PageTemplateContent,
  after: string | null,
): Added {
  const { format, orientation, customSize } = document;
  const paper = { format, orientation, customSize };
  const isFitting = isSame(paper, {
    format: content.format,
    orientation: content.orientation,
    customSize: content.customSize,
  });
  const fitted = isFitting ? content : { ...content, ...fitPaper({ ...document, ...content }, paper, true) };
  const masters = [...document.masters];
  // Pages keep the `masterId` of a deleted master, and new pages have the `masterId` `DEFAULT_MASTER`. An added master
  // must not get one of these ids, because those pages would then print it.
  const taken = new Set([
    DEFAULT_MASTER,
    ...masters.map(({ id }) => id),
    ...[document.cover, document.contents, ...document.pages].map(({ masterId }) => masterId),
  ]);
  const masterIds = new Map<string, string>();
  for (const master of fitted.masters) {
    const { id: _, ...look } = master;
    const equal = masters.find(({ id, ...other }) => isSame(other, look));
    const id = equal?.id ?? freshId(master.id, taken);
    if (!equal && !documentMasters.safeParse([...masters, { ...master, id }]).success) continue;
    if (!equal) masters.push({ ...master, id });
    taken.add(id);
    masterIds.set(master.id, id);
  }
  const flowIds = flowIdsOf(document.pages);
  const pages = fitted.pages.map((page) => ({
    ...withoutTakenFlows(page, flowIds),
    id: newKey(),
    masterId: page.masterId === NO_MASTER ? NO_MASTER : (masterIds.get(page.masterId) ?? DEFAULT_MASTER),
  }));
  const at = after === null ? -1 : document.pages.findIndex(({ id }) => id === after);
  const all = document.pages.toSpliced(at < 0 ? document.pages.length : at + 1, 0, ...pages);
  const refused = limitMessage(all);
  const [first] = pages;
  if (refused || !first) return { refused: refused ?? 'The template has no pages.' };
  const notice =
    masterIds.size < fitted.masters.length
      ? 'The document has no room for the master of the template. The page uses the default one.'
      : null;
  return { document: { ...document, masters, pages: all }, pageId: first.id, notice };
}
