import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEditor } from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import { additionOf, addToDocument, type Destination } from '@/components/editor/handover/add-to-document';
import { SendError, saveAddition } from '@/components/editor/handover/save-addition';
import { registerOpen } from '@/components/editor/open-documents';
import { createAutosave } from '@/components/editor/saving/autosave';
import { startAutosave } from '@/components/editor/saving/autosave-state';
import { UserFacingError } from '@/components/feedback/describe-error';
import { handOver } from '@/components/studio/hand-over';
import { MAX_DOCUMENT_PAGES, MAX_ELEMENTS } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { ApiError, OfflineError } from '@/lib/http/client';

const image = {
  imageId: null,
  path: 'images/projects/p/jobs/j/1/1-1',
  width: 1024,
  height: 768,
  alt: 'A lobby',
};
const oak = { materialId: 'oak', title: 'Oak', swatch: '#b98d5b', rows: [], imageId: null, path: null };
const content = { title: 'A lobby', text: 'A lobby at night', images: [image], materials: [oak, oak] };
const shape = (n: number) => ({ id: `s${n}`, type: 'shape', kind: 'rect', x: 0, y: 0, w: 9, h: 9, z: 5 });
const documentOf = (pages: object[]) =>
  projectDocument.parse({ version: 3, format: 'letter', orientation: 'landscape', pages });
const document = documentOf([
  { id: 'a', elements: [shape(1)] },
  { id: 'b', elements: [] },
]);
const isNew: Destination = { kind: 'new' };
const onPage: Destination = { kind: 'page', pageId: 'a' };

function added(...input: Parameters<typeof addToDocument>) {
  const result = addToDocument(...input);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

describe('addToDocument', () => {
  test('content with an image becomes a new last page from the image template', () => {
    const { document: next, pageId } = added(document, additionOf(content), isNew);
    expect(next.pages.map(({ id }) => id)).toEqual(['a', 'b', pageId]);
    const page = next.pages[2];
    expect(page?.title).toBe('A lobby');
    expect(page?.elements.map(({ type }) => type).sort()).toEqual([
      'image',
      'material',
      'material',
      'text',
      'text',
    ]);
    expect(projectDocument.safeParse({ ...next, version: 3 }).success).toBe(true);
  });

  test('content without an image becomes a material schedule', () => {
    const { document: next } = added(document, additionOf({ ...content, images: [] }), isNew);
    expect(next.pages[2]?.elements.map(({ type }) => type)).toEqual(['text', 'material', 'material']);
  });

  test('several images become one new page with all of them', () => {
    const several = { ...content, images: [image, image, image], materials: [] };
    const { document: next } = added(document, additionOf(several), isNew);
    const types = next.pages.at(-1)?.elements.map(({ type }) => type);
    expect(types).toEqual(['text', 'image', 'image', 'image']);
  });

  test('content added to an existing page goes on top, each element at its own position', () => {
    const { document: next, pageId } = added(document, additionOf(content), onPage);
    const [old, ...fresh] = next.pages[0]?.elements ?? [];
    expect(pageId).toBe('a');
    expect({ ...old, z: 5 }).toEqual(document.pages[0]?.elements[0]);
    expect(fresh.map(({ type }) => type)).toEqual(['image', 'material', 'material']);
    expect(new Set(fresh.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
    for (const { z } of fresh) expect(z).toBeGreaterThan(old?.z ?? 0);
    expect(next.pages[1]).toBe(document.pages[1]);
    expect(projectDocument.safeParse({ ...next, version: 3 }).success).toBe(true);
  });

  test.each([isNew, onPage])('an addition appears once even if it is added twice (to: $kind)', (to) => {
    const addition = additionOf(content);
    const first = added(document, addition, to);
    const again = added(first.document, addition, to);
    expect(again.document).toBe(first.document);
    expect(again.pageId).toBe(first.pageId);
  });

  test('an addition to a full document, a full page or a deleted page is refused with a message', () => {
    const full = documentOf(
      Array.from({ length: MAX_DOCUMENT_PAGES }, (_, n) => ({ id: `p${n}`, elements: [] })),
    );
    expect(addToDocument(full, additionOf(content), isNew)).toEqual({
      refused: 'A document has at most 200 pages.',
    });
    const crowded = documentOf([
      { id: 'a', elements: Array.from({ length: MAX_ELEMENTS }, (_, n) => shape(n)) },
    ]);
    expect(addToDocument(crowded, additionOf(content), onPage)).toEqual({
      refused: 'A page has at most 200 elements.',
    });
    const gone = { kind: 'page', pageId: 'gone' } as const;
    expect(addToDocument(document, additionOf(content), gone)).toEqual({
      refused: expect.stringContaining('no longer exists'),
    });
  });
});

/** Opens the document in an editor in this tab. The editor saves with `send`. */
function editHere(send: Parameters<typeof createAutosave>[1]['send']) {
  const store = createEditorStore(openEditor(document), true);
  const autosave = createAutosave(startAutosave(3, document, document), {
    send,
    read: () => Promise.reject(new Error('Nobody else has saved.')),
    adopt: () => undefined,
    isBusy: () => false,
    keepDraft: () => undefined,
    dropDraft: () => undefined,
    now: () => 0,
    wait: () => () => undefined,
  });
  store.subscribe(() => autosave.changed(store.get().document));
  return { store, close: registerOpen('project', { store, autosave }) };
}

test('an addition to a document open in this tab goes into its editor and is saved with its other changes', async () => {
  const sent: { version: number; pages: string[] }[] = [];
  const { store, close } = editHere(async ({ pages }, version) => {
    sent.push({ version, pages: pages.map(({ id }) => id) });
    return version + 1;
  });
  store.dispatch({ type: 'page-removed', pageId: 'b' });

  const addition = additionOf(content);
  const { pageId, isSaved } = await saveAddition({ projectId: 'project' }, addition, isNew);
  expect(isSaved).toBe(true);
  expect(sent).toEqual([{ version: 3, pages: ['a', pageId] }]);
  expect(store.get().pageId).toBe(pageId);
  // Repeating the addition, as after a lost response, adds nothing.
  expect(await saveAddition({ projectId: 'project' }, addition, isNew)).toEqual({ pageId, isSaved: true });
  expect(sent).toHaveLength(1);
  const onGone = saveAddition({ projectId: 'project' }, additionOf(content), { kind: 'page', pageId: 'b' });
  await expect(onGone).rejects.toThrow(UserFacingError);
  close();
});

test('an addition to a document open in this tab is kept when it cannot be saved yet', async () => {
  const { store, close } = editHere(() => Promise.reject(new OfflineError(null)));
  const { pageId, isSaved } = await saveAddition({ projectId: 'project' }, additionOf(content), isNew);
  expect(isSaved).toBe(false);
  expect(store.get().document.pages.map(({ id }) => id)).toEqual(['a', 'b', pageId]);
  close();
});

describe('saveAddition to a document on the server', () => {
  const pages = 'http://atelier.test/api/projects/project/pages';
  const problem = (status: number, code: string) => () => HttpResponse.json({ status, code }, { status });
  const server = setupServer();
  beforeAll(() => {
    vi.stubGlobal('location', new URL('http://atelier.test/'));
    server.listen({ onUnhandledFrame: 'error' });
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => {
    server.close();
    vi.unstubAllGlobals();
  });
  const save = (signal?: AbortSignal) =>
    saveAddition({ projectId: 'project' }, additionOf(content), isNew, signal);
  const failureOf = (saving: Promise<unknown>) =>
    saving.then(
      () => expect.unreachable('It was saved.'),
      (error: unknown) => error,
    );

  test('a failure before sending is passed on, a failure after sending is a SendError', async () => {
    server.use(http.get(pages, problem(500, 'internal')));
    const unread = await failureOf(save());
    expect(unread).toBeInstanceOf(ApiError);
    server.use(
      http.get(pages, () => HttpResponse.json(document)),
      http.put(pages, problem(503, 'unavailable')),
    );
    const unsaved = await failureOf(save());
    expect(unsaved).toBeInstanceOf(SendError);
    expect(unsaved).toMatchObject({ cause: { status: 503, code: 'unavailable' } });
  });

  test('canceling does not stop a save already sent, but stops the retry after a conflict', async () => {
    const closed = new AbortController();
    server.use(
      http.get(pages, () => HttpResponse.json(document)),
      http.put(pages, () => {
        closed.abort();
        return HttpResponse.json({ version: 4 });
      }),
    );
    expect(await save(closed.signal)).toMatchObject({ isSaved: true });
    const again = new AbortController();
    server.use(
      http.put(pages, () => {
        again.abort();
        return problem(409, 'state_conflict')();
      }),
    );
    expect(await failureOf(save(again.signal))).toBe(again.signal.reason);
  });
});

test('handOver passes on an image, its prompt and the materials of its prompt without duplicates', () => {
  const variant = {
    id: 'image-1',
    variant_id: 'v1',
    number: 2,
    path: image.path,
    thumb_path: null,
    meta: null,
    url: null,
    thumb_url: null,
    width: 1024,
    height: 768,
    run: 1,
    created_at: '',
    starred_at: null,
  };
  const settings = {
    materialIds: ['oak', 'slate'],
    materialPayload: [{ id: 'oak', name: 'Oak' }, { name: 'Loose' }, {}, { id: 'brass' }],
  };
  const shown = { variant, key: 'k', label: '1.2', prompt: 'A lobby\nat night', ordinal: 1, createdBy: null };
  expect(handOver(settings, shown)).toMatchObject({
    title: 'A lobby at night',
    text: 'A lobby\nat night',
    images: [{ path: image.path, alt: 'A lobby at night' }],
    materials: [
      { id: 'oak', name: 'Oak' },
      { id: '', name: 'Loose' },
      { id: 'brass', name: 'brass' },
      { id: 'slate', name: 'slate' },
    ],
  });
});
