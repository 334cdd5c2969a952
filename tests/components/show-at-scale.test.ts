import { afterEach, expect, test, vi } from 'vitest';
import { createEditorStore } from '@/components/editor/editor-store';
import { showAtScale } from '@/components/editor/inspector/show-at-scale';
import { materialElement } from '@/lib/document/page-model';
import { open, page } from './support/editor-actions';

afterEach(() => vi.unstubAllGlobals());

test('a material is shown at a true scale even if another page is opened while its texture is copied', async () => {
  const frame = { x: 0, y: 0, w: 50, h: 50 };
  const oak = materialElement.parse({ id: 'm', type: 'material', materialId: 'oak', title: 'Oak', ...frame });
  const store = createEditorStore(open(page('a', [oak]), page('b', [{ ...oak, title: 'Other' }])), true);
  const texture = {
    id: 'b0000000-0000-4000-8000-000000000001',
    path: 'texture.jpg',
    url: null,
    width: 512,
    height: 512,
    fileName: 'oak.jpg',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  vi.stubGlobal('fetch', async () => {
    store.dispatch({ type: 'page-opened', pageId: 'b', selected: ['m'] });
    return Response.json(texture, { status: 201 });
  });
  const trueScale = { ratio: 5, width: 1200, height: 900 } as const;
  await showAtScale(store, 'project', oak, trueScale);
  const { document, pageId, selected } = store.get();
  const shown = document.pages.map(({ elements }) => elements[0]);
  expect(shown).toMatchObject([
    { trueScale, imageId: texture.id, path: null },
    { trueScale: null, imageId: null, title: 'Other' },
  ]);
  expect({ pageId, selected }).toEqual({ pageId: 'b', selected: ['m'] });
});
