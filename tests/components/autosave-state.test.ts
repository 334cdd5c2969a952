import { describe, expect, test } from 'vitest';
import {
  type AutosaveEvent,
  type AutosaveState,
  autosaveReducer,
  dueAt,
  MAX_WAIT_MS,
  RETRY_MS,
  type Recovery,
  recoveryAt,
  type SaveStatus,
  SETTLE_MS,
  saveStatus,
  startAutosave,
} from '@/components/editor/saving/autosave-state';
import type { ProjectDocument } from '@/lib/document/schema';
import { ApiError, OfflineError } from '@/lib/http/client';
import { first, second, third } from '@/tests/components/support/titled-documents';

const meanwhile = (state: AutosaveState, ...events: AutosaveEvent[]) => events.reduce(autosaveReducer, state);
const changed = (document: ProjectDocument, at: number): AutosaveEvent => ({ type: 'changed', document, at });

describe('dueAt', () => {
  const start = startAutosave(3, first, first);

  test('no save is due while nothing has changed', () => {
    expect(dueAt(start)).toBeNull();
    expect(saveStatus(start)).toBe('saved');
    expect(meanwhile(start, { type: 'hurried' })).toBe(start);
  });

  test('a save is due when changes have settled or the oldest has waited long enough', () => {
    const state = meanwhile(start, changed(second, 100));
    expect(saveStatus(state)).toBe('unsaved');
    expect(dueAt(state)).toBe(100 + SETTLE_MS);
    expect(dueAt(meanwhile(state, changed(third, 900)))).toBe(900 + SETTLE_MS);
    expect(dueAt(meanwhile(state, changed(third, 9000)))).toBe(100 + MAX_WAIT_MS);
  });

  test('a save is due immediately on request and for a restored draft', () => {
    expect(dueAt(meanwhile(start, changed(second, 100), { type: 'hurried' }))).toBe(0);
    expect(dueAt(startAutosave(3, first, second))).toBe(0);
  });

  test('no save is due while another is being sent; later changes are due afterwards', () => {
    const sending = meanwhile(start, changed(second, 100), { type: 'started' });
    expect(saveStatus(sending)).toBe('saving');
    const more = meanwhile(sending, changed(third, 2000));
    expect(dueAt(more)).toBeNull();
    const after = meanwhile(more, { type: 'saved', version: 4 });
    expect(after).toMatchObject({ version: 4, saved: second, current: third });
    expect(dueAt(after)).toBe(2000 + SETTLE_MS);
    expect(saveStatus(meanwhile(sending, { type: 'saved', version: 4 }))).toBe('saved');
  });

  test('no save is due for a change that was undone', () => {
    expect(dueAt(meanwhile(start, changed(second, 100), changed(first, 200)))).toBeNull();
  });

  const failed = (error: unknown) =>
    meanwhile(start, changed(second, 100), { type: 'started' }, { type: 'failed', error, at: 500 });

  test('a save is retried after a delay when the browser is offline, or the server is unavailable or limits requests', () => {
    expect(saveStatus(failed(new OfflineError()))).toBe('offline');
    expect(dueAt(failed(new OfflineError()))).toBe(500 + RETRY_MS);
    expect(dueAt(meanwhile(failed(new OfflineError()), { type: 'reconnected' }))).toBe(0);
    expect(dueAt(failed(new ApiError(503, {}, '60')))).toBe(500 + 60_000);
    for (const status of [500, 408, 429]) {
      expect(dueAt(failed(new ApiError(status, {})))).toBe(500 + RETRY_MS);
    }
  });

  test('a rejected save is retried only after another change or on request', () => {
    const refused = failed(new ApiError(400, {}));
    expect(saveStatus(refused)).toBe('failed');
    expect(dueAt(refused)).toBeNull();
    expect(dueAt(meanwhile(refused, changed(third, 900)))).toBe(900 + SETTLE_MS);
    expect(dueAt(meanwhile(refused, { type: 'hurried' }))).toBe(0);
  });

  test('no save is due during a conflict until the user decides', () => {
    const conflict = meanwhile(
      start,
      changed(second, 100),
      { type: 'started' },
      {
        type: 'conflicted',
        version: 9,
        theirs: first,
        savedBy: null,
      },
    );
    expect(saveStatus(meanwhile(conflict, changed(third, 900), { type: 'hurried' }))).toBe('conflict');
    expect(dueAt(meanwhile(conflict, changed(third, 900), { type: 'hurried' }))).toBeNull();
    const mine = meanwhile(conflict, { type: 'kept-mine', version: 9, saved: first });
    expect(mine.version).toBe(9);
    expect(dueAt(mine)).toBe(0);
    const theirs = meanwhile(conflict, { type: 'took-theirs', document: third, version: 9 });
    expect(theirs).toEqual(startAutosave(9, third, third));
  });
});

test('saving recovers once after a problem, and later saves are ordinary ones', () => {
  const after = (...statuses: SaveStatus[]) => statuses.reduce<Recovery>(recoveryAt, 'none');
  expect(after('saved', 'unsaved', 'saving', 'saved')).toBe('none');
  expect(after('saving', 'failed', 'unsaved', 'saving')).toBe('awaited');
  expect(after('saving', 'failed', 'unsaved', 'saving', 'saved', 'saved')).toBe('done');
  expect(after('offline', 'saved', 'unsaved')).toBe('none');
  expect(after('offline', 'saved', 'unsaved', 'saving', 'saved')).toBe('none');
});
