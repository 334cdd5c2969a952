import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Thumbnail } from '@/components/materials/thumbnail';
import {
  emptyMaterialTray,
  isFull,
  readTray,
  TRAY_SIZE,
  type Tray,
  type TrayMaterial,
  trayMaterialOf,
  trayReducer,
  writeTray,
} from '@/components/materials/tray-state';
import { createTrayStore, type TrayStorage } from '@/components/materials/tray-store';

const materialOf = (id: string): TrayMaterial => ({
  id,
  type: 'textures',
  name: `Material ${id}`,
  thumbnailUrl: `https://cdn.example/${id}.png`,
});
const pick = (tray: Tray, id: string) => trayReducer(tray, { type: 'picked', material: materialOf(id) });
const trayOf = (...ids: string[]) => ids.reduce(pick, emptyMaterialTray);
const idsOf = ({ materials }: Tray) => materials.map(({ id }) => id);

describe('trayReducer', () => {
  test('the tray keeps the order of picks and each material once', () => {
    const tray = trayOf('b', 'a');
    expect(idsOf(tray)).toEqual(['b', 'a']);
    expect(pick(tray, 'b')).toBe(tray);
  });

  test('the tray holds twelve materials and ignores a thirteenth', () => {
    const full = trayOf(...Array.from({ length: TRAY_SIZE }, (_, i) => `m${i}`));
    expect(TRAY_SIZE).toBe(12);
    expect(isFull(full)).toBe(true);
    expect(pick(full, 'one-more')).toBe(full);
  });

  test('undo restores a removed material at its position', () => {
    const removed = trayReducer(trayOf('a', 'b', 'c'), { type: 'removed', id: 'b' });
    expect(idsOf(removed)).toEqual(['a', 'c']);
    expect(removed.undo?.text).toBe('Material b was removed.');
    expect(idsOf(trayReducer(removed, { type: 'undone' }))).toEqual(['a', 'b', 'c']);
  });

  test('undo restores a cleared tray until another material is picked', () => {
    const cleared = trayReducer(trayOf('a', 'b'), { type: 'cleared' });
    expect(cleared.materials).toEqual([]);
    expect(idsOf(trayReducer(cleared, { type: 'undone' }))).toEqual(['a', 'b']);
    const picked = pick(cleared, 'c');
    expect(picked.undo).toBeNull();
    expect(idsOf(trayReducer(picked, { type: 'undone' }))).toEqual(['c']);
    expect(trayReducer(cleared, { type: 'dismissed' })).toEqual(emptyMaterialTray);
  });

  test('the tray stays the same object when nothing changes', () => {
    const tray = trayOf('a');
    expect(trayReducer(tray, { type: 'removed', id: 'x' })).toBe(tray);
    expect(trayReducer(tray, { type: 'undone' })).toBe(tray);
    expect(trayReducer(emptyMaterialTray, { type: 'cleared' })).toBe(emptyMaterialTray);
  });

  test('a material with a blank name is shown by its id', () => {
    const item = {
      ...materialOf('a'),
      thumbnail_url: 'https://cdn.example/a.png',
      name: '  ',
      tags: [],
      categories: [],
      download_count: 0,
      downloads_per_day: 0,
      published_at: '2026-01-01T00:00:00.000Z',
      description: '',
      authors: [],
      max_resolution: null,
      dimensions_mm: null,
      color: null,
    };
    expect(trayMaterialOf(item)).toEqual({ ...materialOf('a'), name: 'a' });
  });
});

describe('readTray', () => {
  test('a stored tray is restored without its undo state', () => {
    const tray = trayReducer(trayOf('a', 'b', 'c'), { type: 'removed', id: 'c' });
    expect(readTray(writeTray(tray))).toEqual(trayOf('a', 'b'));
  });

  test.each([null, '', 'not json', '{}', '"a"', 'null', '[1, null, {}]'])(
    'the stored text %j is read as an empty tray',
    (text) => {
      expect(readTray(text)).toEqual(emptyMaterialTray);
    },
  );

  test('invalid, duplicate and excess materials are dropped from a stored tray', () => {
    const evil = { ...materialOf('x'), thumbnailUrl: 'javascript:alert(1)' };
    const many = Array.from({ length: 20 }, (_, i) => materialOf(`m${i}`));
    const text = JSON.stringify([materialOf('a'), evil, materialOf('a'), ...many]);
    const tray = readTray(text);
    expect(tray.materials).toHaveLength(TRAY_SIZE);
    expect(idsOf(tray).slice(0, 3)).toEqual(['a', 'm0', 'm1']);
  });
});

function memory(): TrayStorage & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) };
}

describe('createTrayStore', () => {
  test('the tray survives a reload, separately for each user', () => {
    const storage = memory();
    createTrayStore(storage, 'ada').dispatch({ type: 'picked', material: materialOf('a') });
    expect(idsOf(createTrayStore(storage, 'ada').get())).toEqual(['a']);
    expect(createTrayStore(storage, 'eve').get()).toEqual(emptyMaterialTray);
  });

  test('subscribers are called only when the tray changes', () => {
    const store = createTrayStore(memory(), 'ada');
    let calls = 0;
    const stop = store.subscribe(() => {
      calls += 1;
    });
    store.dispatch({ type: 'picked', material: materialOf('a') });
    store.dispatch({ type: 'picked', material: materialOf('a') });
    expect(calls).toBe(1);
    stop();
    store.dispatch({ type: 'cleared' });
    expect(calls).toBe(1);
  });

  test('rereading adopts changes from another tab and keeps the same object if there are none', () => {
    const storage = memory();
    const [here, there] = [createTrayStore(storage, 'ada'), createTrayStore(storage, 'ada')];
    there.dispatch({ type: 'picked', material: materialOf('a') });
    here.reread();
    expect(idsOf(here.get())).toEqual(['a']);
    const same = here.get();
    here.reread();
    expect(here.get()).toBe(same);
  });

  test('without storage, the tray lasts until the page is closed', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    for (const storage of [null, { getItem: refuse, setItem: refuse }]) {
      const store = createTrayStore(storage, 'ada');
      store.dispatch({ type: 'picked', material: materialOf('a') });
      store.reread();
      expect(idsOf(store.get())).toEqual(['a']);
    }
  });
});

test('the thumbnail of a material without a picture has no image element', () => {
  expect(renderToStaticMarkup(createElement(Thumbnail, { src: '' }))).toBe('<span></span>');
  expect(renderToStaticMarkup(createElement(Thumbnail, { src: '/oak.png' }))).toContain(
    '<img src="/oak.png"',
  );
});
