import { freshId } from '@/lib/document/fresh-ids';
import { documentMasters, MAX_MASTERS } from '@/lib/document/masters';
import { type PageData, pageData } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { type Change, type EditorDocument, type EditorSnapshot, onPage, withMaster } from './editor-change';

export type MasterPatch = Partial<Pick<PageData, 'title' | 'background' | 'backgroundId'>>;
/** What uses a master. */
export type MasterUser = 'cover' | 'contents' | { pageId: string };

/** Returns a message if the masters are invalid, for example because there are too many. Otherwise returns null. */
export function masterLimitMessage({ masters }: EditorDocument): string | null {
  const issue = documentMasters.safeParse(masters).error?.issues[0];
  return issue ? `Masters ${issue.message}.` : null;
}

/** Adds a master, opens it, and makes `user` (a page, the cover or the contents) use it. */
export function addMaster(snapshot: EditorSnapshot, added: PageData, user: MasterUser): Change {
  const { document } = snapshot;
  if (document.masters.length >= MAX_MASTERS)
    return { refused: `A document has at most ${MAX_MASTERS} masters.` };
  const id = freshId(added.id, new Set(document.masters.map((master) => master.id)));
  const masters = [...document.masters, { ...added, id }];
  const using =
    typeof user === 'string'
      ? { [user]: { ...document[user], masterId: id } }
      : {
          pages: document.pages.map((page) => (page.id === user.pageId ? { ...page, masterId: id } : page)),
        };
  return {
    document: { ...document, masters, ...using },
    sheet: { kind: 'master', id },
    selected: [],
    message: `Master “${added.title}” was added.`,
  };
}

/** Changes the name or the background of a master. */
export function changeMaster({ document }: EditorSnapshot, id: string, patch: MasterPatch): Change {
  const master = document.masters.find((other) => other.id === id);
  if (!master) return null;
  const next = withoutUndefined({ ...master, ...patch });
  const issue = pageData.safeParse(next).error?.issues[0];
  if (issue) return { refused: `The master's ${issue.path.join('.')} ${issue.message}.` };
  return { document: withMaster(document, next) };
}

/** Removes a master. Pages and front sheets that used it then have no master. */
export function removeMaster({ document }: EditorSnapshot, id: string): Change {
  const removed = document.masters.find((master) => master.id === id);
  if (!removed) return null;
  const masters = document.masters.filter((master) => master !== removed);
  return {
    document: { ...document, masters },
    sheet: onPage,
    selected: [],
    message: `Master “${removed.title}” was deleted.`,
  };
}

/** Makes all pages use a master. */
export function applyMaster({ document }: EditorSnapshot, masterId: string): Change {
  if (document.pages.every((page) => page.masterId === masterId)) return null;
  const pages = document.pages.map((page) => (page.masterId === masterId ? page : { ...page, masterId }));
  return { document: { ...document, pages }, message: 'All pages use this master.' };
}
