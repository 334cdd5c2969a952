import { MAX_GUIDES, type PageData, type PageGuide, pageGuide } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { type Change, type EditorSnapshot, openPage, withMaster, withPage } from './editor-change';
import { rounded } from './geometry/frames';

/** Sets the guides of the open page or master. */
export function changeGuides(snapshot: EditorSnapshot, guides: readonly PageGuide[]): Change {
  const page = openPage(snapshot);
  if (!page) return null;
  if (guides.length > MAX_GUIDES) return { refused: `A page has at most ${MAX_GUIDES} guides.` };
  const next = guides.map(({ axis, at }) => ({ axis, at: rounded(at) }));
  if (next.some((guide) => !pageGuide.safeParse(guide).success))
    return { refused: 'The guide is too far away.' };
  const before = page.guides ?? [];
  const isSame =
    next.length === before.length &&
    next.every(({ axis, at }, index) => before[index]?.axis === axis && before[index]?.at === at);
  if (isSame) return null;
  const changed: PageData = withoutUndefined({ ...page, guides: next.length > 0 ? next : undefined });
  const replace = snapshot.sheet.kind === 'master' ? withMaster : withPage;
  return { document: replace(snapshot.document, changed) };
}
