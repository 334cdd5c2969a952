import { expect, test } from 'vitest';
import { looksTheSame } from '@/components/document/element-view';
import type { EditorAction } from '@/components/editor/editor-action';
import { editorReducer } from '@/components/editor/editor-reducer';
import { openEditor } from '@/components/editor/editor-state';
import type { DocumentImages } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';

const images: DocumentImages = new Map();
const text = { id: 't', type: 'text', x: 10, y: 10, w: 50, h: 20, blocks: [] };
const start = openEditor(projectDocument.parse({ version: 1, pages: [{ id: 'p', elements: [text] }] }));

/** Returns the first element of the page after these actions, as it is rendered. */
function rendered(...actions: EditorAction[]) {
  const [element] = actions.reduce(editorReducer, start).document.pages[0]?.elements ?? [];
  if (!element) throw new Error('The page has no element.');
  return { element, images };
}
const set = (patch: object): EditorAction => ({ type: 'elements-changed', ids: ['t'], patch });

test.each([{ bold: true }, { tracking: 50 }])(
  'an element with %j is rendered again after an undo',
  (patch) => {
    const [changed, undone] = [rendered(set(patch)), rendered(set(patch), { type: 'undone' })];
    expect(looksTheSame(rendered(), changed)).toBe(false);
    expect(looksTheSame(changed, undone)).toBe(false);
    expect(looksTheSame(rendered(), undone)).toBe(true);
  },
);

test('the content of an element is not rendered again while the element is dragged', () => {
  expect(looksTheSame(rendered(), rendered(set({ x: 30, y: 12, rotation: 5, locked: true })))).toBe(true);
  expect(looksTheSame(rendered(), rendered(set({ w: 60 })))).toBe(false);
  expect(looksTheSame(rendered(), { ...rendered(), images: new Map() })).toBe(false);
});
