import { describe, expect, test } from 'vitest';
import {
  emptyTray,
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
const trayOf = (...ids: string[]) => ids.reduce(pick, emptyTray);
const idsOf = ({ materials }: Tray) => materials.map(({ id }) => id);

describe('the tray', () => {
  test('keeps the order of picking, and each material once', () => {
    const tray = trayOf('b', 'a');
    expect(idsOf(tray)).toEqual(['b', 'a']);
    expect(pick(tray, 'b')).toBe(tray);
  });

  test('holds twelve and refuses the thirteenth', () => {
    const full = trayOf(...Array.from({ length: TRAY_SIZE }, (_, i) => `m${i}`));
    expect(TRAY_SIZE).toBe(12);
    expect(isFull(full)).toBe(true);
    expect(pick(full, 'one-more')).toBe(full);
  });

  test('gives back what was removed, in its place', () => {
    const removed = trayReducer(trayOf('a', 'b', 'c'), { type: 'removed', id: 'b' });
    expect(idsOf(removed)).toEqual(['a', 'c']);
    expect(removed.undo?.text).toBe('Material b was removed.');
    expect(idsOf(trayReducer(removed, { type: 'undone' }))).toEqual(['a', 'b', 'c']);
  });

  test('gives back what was cleared, until something else is picked', () => {
    const cleared = trayReducer(trayOf('a', 'b'), { type: 'cleared' });
    expect(cleared.materials).toEqual([]);
    expect(idsOf(trayReducer(cleared, { type: 'undone' }))).toEqual(['a', 'b']);
    const picked = pick(cleared, 'c');
    expect(picked.undo).toBeNull();
    expect(idsOf(trayReducer(picked, { type: 'undone' }))).toEqual(['c']);
    expect(trayReducer(cleared, { type: 'dismissed' })).toEqual(emptyTray);
  });

  test('stays the same object when nothing changes', () => {
    const tray = trayOf('a');
    expect(trayReducer(tray, { type: 'removed', id: 'x' })).toBe(tray);
    expect(trayReducer(tray, { type: 'undone' })).toBe(tray);
    expect(trayReducer(emptyTray, { type: 'cleared' })).toBe(emptyTray);
  });

  test('always has a name to show', () => {
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

describe('a kept tray', () => {
  test('comes back as it was, without what could be undone', () => {
    const tray = trayReducer(trayOf('a', 'b', 'c'), { type: 'removed', id: 'c' });
    expect(readTray(writeTray(tray))).toEqual(trayOf('a', 'b'));
  });

  test.each([null, '', 'not json', '{}', '"a"', 'null', '[1, null, {}]'])('%j is an empty tray', (text) => {
    expect(readTray(text)).toEqual(emptyTray);
  });

  test('loses what is no material, what is there twice, and what is too much', () => {
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

describe('the store of a tray', () => {
  test('survives a reload, for each person apart', () => {
    const storage = memory();
    createTrayStore(storage, 'ada').dispatch({ type: 'picked', material: materialOf('a') });
    expect(idsOf(createTrayStore(storage, 'ada').get())).toEqual(['a']);
    expect(createTrayStore(storage, 'eve').get()).toEqual(emptyTray);
  });

  test('tells who listens, and only of changes', () => {
    const store = createTrayStore(memory(), 'ada');
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    store.dispatch({ type: 'picked', material: materialOf('a') });
    store.dispatch({ type: 'picked', material: materialOf('a') });
    expect(told).toBe(1);
    stop();
    store.dispatch({ type: 'cleared' });
    expect(told).toBe(1);
  });

  test('takes over what another tab picked, and keeps its own object when that is the same', () => {
    const storage = memory();
    const [here, there] = [createTrayStore(storage, 'ada'), createTrayStore(storage, 'ada')];
    there.dispatch({ type: 'picked', material: materialOf('a') });
    here.reread();
    expect(idsOf(here.get())).toEqual(['a']);
    const same = here.get();
    here.reread();
    expect(here.get()).toBe(same);
  });

  test('lasts as long as the page where nothing can be kept', () => {
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
