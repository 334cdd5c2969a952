import { randomUUID } from 'node:crypto';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openEditor } from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import { createAutosave, type Unsaved } from '@/components/editor/saving/autosave';
import { saveStatus, startAutosave } from '@/components/editor/saving/autosave-state';
import { createSaveAsNew } from '@/components/editor/saving/save-as-new';
import type { ProjectDocument } from '@/lib/document/schema';
import { ApiError } from '@/lib/http/client';
import { first, second } from './support/titled-documents';

const documents = 'http://atelier.test/api/projects/project/documents';
const pages = 'http://atelier.test/api/projects/project/pages';
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

type Stored = { name: string; version: number; pages: ProjectDocument['pages'] };

/**
 * Fakes a server that stores new documents by id. The entries of `faults` make the first saves of pages fail, one save
 * for each entry. Later saves succeed. A `lost` save is stored, but its response is lost.
 */
function serve(...faults: ('refused' | 'lost' | 'missing')[]) {
  const stored = new Map<string, Stored>();
  const ids = new Map<string | null, string>();
  server.use(
    http.post(documents, async ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      const { name } = (await request.json()) as Stored;
      const id = ids.get(key) ?? randomUUID();
      ids.set(key, id);
      const document = stored.get(id) ?? { name, version: 1, pages: [] };
      stored.set(id, document);
      const state = { isMain: false, savedAt: null, savedBy: null, archivedAt: null, restorableUntil: null };
      return HttpResponse.json({ id, name, version: document.version, ...state }, { status: 201 });
    }),
    http.put(pages, async ({ request }) => {
      const fault = faults.shift();
      const document = stored.get(new URL(request.url).searchParams.get('documentId') ?? '');
      if (!document || fault === 'missing') return HttpResponse.json({ status: 404 }, { status: 404 });
      if (fault === 'refused') return HttpResponse.json({ status: 503 }, { status: 503 });
      const sent = (await request.json()) as Stored;
      if (sent.version !== document.version) return HttpResponse.json({ status: 409 }, { status: 409 });
      Object.assign(document, { pages: sent.pages, version: sent.version + 1 });
      return fault === 'lost' ? HttpResponse.error() : HttpResponse.json({ version: document.version });
    }),
  );
  return stored;
}

/** Opens an editor that shows `second`. The saved content is `first`, and every attempt to save `second` fails. */
function openUnsavable(read: () => Promise<ProjectDocument>) {
  const missing = new ApiError(404, {});
  let draft: Unsaved | null = null;
  const store = createEditorStore(openEditor(second), true);
  const autosave = createAutosave(startAutosave(3, first, store.get().document), {
    send: () => Promise.reject(missing),
    read,
    adopt: () => undefined,
    isBusy: () => false,
    keepDraft: (unsaved) => {
      draft = unsaved;
    },
    dropDraft: () => {
      draft = null;
    },
    now: () => 0,
    wait: () => () => undefined,
  });
  store.subscribe(() => autosave.changed(store.get().document));
  return { store, autosave, draft: () => draft };
}
const isGone = () => Promise.reject(new ApiError(404, {}));

test.each(['refused', 'lost'] as const)(
  'a retry after a %s save continues with the new document, even if the old one was renamed meanwhile',
  async (fault) => {
    const stored = serve(fault);
    const open = openUnsavable(isGone);
    const saveAsNew = createSaveAsNew();
    await expect(saveAsNew('project', 'Offer', open)).rejects.toThrow();
    expect(saveStatus(open.autosave.get())).toBe('failed');
    const { documentId } = await saveAsNew('project', 'Bid', open);
    expect([...stored]).toEqual([[documentId, expect.objectContaining({ name: 'Offer (copy)' })]]);
    expect(stored.get(documentId)?.pages).toEqual(second.pages);
  },
);

test('if the new document was deleted before a retry, the content becomes another one', async () => {
  const stored = serve('missing');
  const open = openUnsavable(isGone);
  const saveAsNew = createSaveAsNew();
  await expect(saveAsNew('project', 'Offer', open)).rejects.toThrow();
  const { documentId } = await saveAsNew('project', 'Offer', open);
  expect(stored.size).toBe(2);
  expect(stored.get(documentId)?.pages).toEqual(second.pages);
});

test('afterwards, nothing is unsaved, so the browser does not warn: neither in a deleted document nor in an archived one', async () => {
  for (const read of [isGone, async () => first]) {
    serve();
    const open = openUnsavable(read);
    await expect(open.autosave.flush()).rejects.toThrow();
    await createSaveAsNew()('project', 'Offer', open);
    expect(saveStatus(open.autosave.get())).toBe('saved');
    expect(open.draft()).toBeNull();
    expect(open.store.get().document.pages).toEqual((read === isGone ? second : first).pages);
  }
});

test('changes made while the new document is being saved are in it too, and a second click joins the first one', async () => {
  const stored = serve();
  const open = openUnsavable(isGone);
  const saveAsNew = createSaveAsNew();
  const edit = { type: 'document-changed', patch: { language: 'fr' } } as const;
  let isFirst = true;
  server.events.on('response:mocked', ({ request }) => {
    if (request.method === 'PUT' && isFirst) open.store.dispatch(edit);
    if (request.method === 'PUT') isFirst = false;
  });
  const [key, same] = await Promise.all([
    saveAsNew('project', 'Offer', open),
    saveAsNew('project', 'Offer', open),
  ]);
  server.events.removeAllListeners();
  expect(same).toBe(key);
  // The first save created version 2, and saving the later change created version 3.
  expect([...stored.values()]).toEqual([expect.objectContaining({ version: 3 })]);
  expect(saveStatus(open.autosave.get())).toBe('saved');
});
