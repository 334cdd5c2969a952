import { freshId, withFreshIds } from '@/lib/document/fresh-ids';
import { type PageData, pageData } from '@/lib/document/page-model';
import { flowIdsOf, standalonePage, withoutTakenFlows } from '@/lib/document/table-flow';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { type Change, type EditorSnapshot, limitMessage, numberAt, onPage, withPage } from './editor-change';

export type PagePatch = Partial<
  Pick<PageData, 'title' | 'inToc' | 'footer' | 'background' | 'backgroundId' | 'masterId'>
>;

const indexOf = ({ document }: EditorSnapshot, id: string) =>
  document.pages.findIndex((page) => page.id === id);

/** Inserts pages after the page with the id `after`, or at the end if it is null, and opens the first new page. */
export function addPages(snapshot: EditorSnapshot, pages: readonly PageData[], after: string | null): Change {
  const { document } = snapshot;
  const flowIds = flowIdsOf(document.pages);
  const alone = pages.map((page) => withoutTakenFlows(page, flowIds));
  const [first, ...more] = withFreshIds(alone, document.pages);
  if (!first) return null;
  const at = after === null ? document.pages.length : indexOf(snapshot, after) + 1;
  const next = { ...document, pages: document.pages.toSpliced(at, 0, first, ...more) };
  const refused = limitMessage(next.pages);
  if (refused) return { refused };
  const message =
    more.length === 0 ? `Page ${numberAt(next, at)} was added.` : `${pages.length} pages were added.`;
  return { document: next, pageId: first.id, sheet: onPage, selected: [], message };
}

export function duplicatePage(snapshot: EditorSnapshot, id: string): Change {
  const page = snapshot.document.pages.find((other) => other.id === id);
  if (!page) return null;
  const taken = new Set(snapshot.document.pages.map((other) => other.id));
  const alone = standalonePage(page, snapshot.document.pages);
  const change = addPages(snapshot, [{ ...alone, id: freshId(page.id, taken) }], id);
  return change && 'document' in change
    ? { ...change, message: `Page ${numberAt(snapshot.document, indexOf(snapshot, id))} was duplicated.` }
    : change;
}

/** Moves a page to an index in the document. */
export function movePage(snapshot: EditorSnapshot, id: string, to: number): Change {
  const { document } = snapshot;
  const from = document.pages.findIndex((page) => page.id === id);
  const page = document.pages[from];
  const target = Math.min(Math.max(to, 0), document.pages.length - 1);
  if (!page || from === target) return null;
  const pages = document.pages.toSpliced(from, 1).toSpliced(target, 0, page);
  const message = `Page ${numberAt(document, from)} is now page ${numberAt(document, target)}.`;
  return { document: { ...document, pages }, message };
}

/** Removes a page. If it was open, opens the next page or, if there is none, the last page. */
export function removePage(snapshot: EditorSnapshot, id: string): Change {
  const { document, pageId } = snapshot;
  const at = document.pages.findIndex((page) => page.id === id);
  if (at < 0) return null;
  const pages = document.pages.toSpliced(at, 1);
  const opened =
    pageId === id ? { pageId: (pages[at] ?? pages.at(-1))?.id ?? null, selected: [] as string[] } : {};
  return {
    document: { ...document, pages },
    ...opened,
    message: `Page ${numberAt(document, at)} was deleted.`,
  };
}

export function changePage({ document }: EditorSnapshot, id: string, patch: PagePatch): Change {
  const page = document.pages.find((other) => other.id === id);
  if (!page) return null;
  const next = withoutUndefined({ ...page, ...patch });
  const wrong = pageData.shape;
  for (const key of ['title', 'background'] as const) {
    const issue = wrong[key].safeParse(next[key]).error?.issues[0];
    if (issue) return { refused: `The page's ${key} ${issue.message}.` };
  }
  return { document: withPage(document, next) };
}
