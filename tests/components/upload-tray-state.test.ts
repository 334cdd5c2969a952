import { describe, expect, test } from 'vitest';
import { offeredVersions } from '@/components/specs/offered-versions';
import {
  emptyUploadTray,
  filesToMatch,
  isBusy,
  type UploadTrayAction,
  type UploadTrayState,
  uploadProgress,
  uploadTrayReducer,
} from '@/components/specs/upload-tray-state';
import { MAX_SPEC_BYTES } from '@/lib/specs/size-limit';

const apply = (state: UploadTrayState, ...actions: UploadTrayAction[]) =>
  actions.reduce(uploadTrayReducer, state);
const file = (id: string, size = 10, name = `${id}.pdf`) => ({
  id,
  key: `key-${id}`,
  file: Object.defineProperty(new File([], name), 'size', { value: size }),
});
const facts = { brandName: 'Acme', area: 'Lobby', propertyName: '' };
const sent = { specUploadId: 's' };
const itemOf = (state: UploadTrayState, id: string) => state.items.find((item) => item.id === id);

/** Returns a tray in which these files have all required facts and are queued. */
const queued = (...ids: string[]) =>
  apply(
    emptyUploadTray,
    { type: 'added', files: ids.map((id) => file(id)) },
    { type: 'applied-to-all', facts, keys: {} },
    { type: 'queued', ids },
  );

describe('uploadTrayReducer', () => {
  test('files that can never be uploaded are refused with a message when they are added', () => {
    const state = apply(emptyUploadTray, {
      type: 'added',
      files: [
        file('ok', MAX_SPEC_BYTES),
        file('empty', 0),
        file('large', MAX_SPEC_BYTES + 1),
        file('word', 10, 'spec.docx'),
      ],
    });
    expect(state.items.map(({ status }) => status)).toEqual([
      'draft',
      'unsendable',
      'unsendable',
      'unsendable',
    ]);
    expect(itemOf(state, 'empty')?.message).toBe('This file is empty (0 bytes).');
    expect(itemOf(state, 'large')?.message).toContain('The limit is 50 MB');
    expect(itemOf(state, 'word')?.message).toContain('Not a PDF');
    expect(state.announcement?.text).toBe('Files: 1 added, 3 cannot be uploaded.');
    const all = apply(
      state,
      { type: 'applied-to-all', facts, keys: {} },
      { type: 'queued', ids: ['ok', 'empty', 'large', 'word'] },
    );
    expect(all.items.map(({ status }) => status === 'queued')).toEqual([true, false, false, false]);
  });

  test('a file without a brand or an area cannot be queued', () => {
    const state = apply(
      emptyUploadTray,
      { type: 'added', files: [file('a')] },
      { type: 'edited', id: 'a', facts: { brandName: 'Acme' }, key: 'k' },
      { type: 'queued', ids: ['a'] },
    );
    expect(itemOf(state, 'a')?.status).toBe('draft');
  });

  test('new files take the brand and area of the last file', () => {
    const state = apply(queued('a'), { type: 'added', files: [file('b')] });
    expect(itemOf(state, 'b')).toMatchObject({ brandName: 'Acme', area: 'Lobby', status: 'draft' });
  });

  test('a retry after a lost connection uses the same key, and an edited file uses a new one', () => {
    const broken = apply(
      queued('a'),
      { type: 'started', id: 'a' },
      { type: 'failed', id: 'a', status: 'interrupted', message: 'No response.' },
    );
    const key = itemOf(broken, 'a')?.idempotencyKey;
    const again = apply(broken, { type: 'queued', ids: ['a'] });
    expect(itemOf(again, 'a')).toMatchObject({ status: 'queued', idempotencyKey: key, message: null });
    const edited = apply(broken, { type: 'edited', id: 'a', facts: { area: 'Spa' }, key: 'other' });
    expect(itemOf(edited, 'a')).toMatchObject({ status: 'draft', idempotencyKey: 'other' });
    const same = apply(broken, { type: 'edited', id: 'a', facts: { area: 'Lobby' }, key: 'other' });
    expect(itemOf(same, 'a')?.idempotencyKey).toBe(key);
  });

  test('a duplicate waits for the user and is uploaded anyway under a new key', () => {
    const state = apply(
      queued('a'),
      { type: 'started', id: 'a' },
      { type: 'failed', id: 'a', status: 'duplicate', message: 'There already.', specUploadId: 'old' },
    );
    expect(itemOf(state, 'a')).toMatchObject({
      status: 'duplicate',
      specUploadId: 'old',
      onDuplicate: 'refuse',
    });
    expect(apply(state, { type: 'queued', ids: ['a'] })).toEqual(state);
    const kept = apply(state, { type: 'kept-anyway', id: 'a', key: 'new' });
    expect(itemOf(kept, 'a')).toMatchObject({ status: 'queued', onDuplicate: 'keep', idempotencyKey: 'new' });
    expect(apply(kept, { type: 'kept-anyway', id: 'a', key: 'another' })).toEqual(kept);
  });

  test('progress after a cancel is ignored', () => {
    const state = apply(
      queued('a'),
      { type: 'started', id: 'a' },
      { type: 'canceled', id: 'a' },
      { type: 'progressed', id: 'a', progress: 0.5 },
    );
    expect(itemOf(state, 'a')).toMatchObject({ status: 'draft', progress: 0 });
    expect(isBusy(state)).toBe(false);
  });

  test('a postponed file is queued again, and clearing removes only finished files', () => {
    const state = apply(
      queued('a', 'b'),
      { type: 'started', id: 'a' },
      { type: 'postponed', id: 'a' },
      { type: 'started', id: 'b' },
      { type: 'sent', id: 'b', result: sent },
      { type: 'finished-cleared' },
    );
    expect(state.items.map(({ id, status }) => [id, status])).toEqual([['a', 'queued']]);
    expect(isBusy(state)).toBe(true);
  });

  test('the brand and area of a file being uploaded cannot be changed', () => {
    const state = apply(queued('a'), { type: 'started', id: 'a' });
    expect(apply(state, { type: 'edited', id: 'a', facts: { area: 'Spa' }, key: 'k' }).items).toEqual(
      state.items,
    );
  });

  test('guessed facts fill in new files, and no longer count as guesses once they are edited', () => {
    const guess = { brandName: 'Acme', propertyName: 'Oslo' };
    const state = apply(
      emptyUploadTray,
      { type: 'added', files: [file('a')] },
      { type: 'edited', id: 'a', facts: { area: 'Lobby', propertyName: 'Bergen' }, key: 'k' },
      { type: 'added', files: [{ ...file('b'), guess }, file('c')] },
    );
    expect(itemOf(state, 'b')).toMatchObject({
      ...guess,
      area: 'Lobby',
      guessed: ['brandName', 'propertyName'],
    });
    const edited = apply(state, { type: 'edited', id: 'b', facts: { brandName: 'Bolt' }, key: 'k' });
    expect(itemOf(edited, 'b')?.guessed).toEqual(['propertyName']);
  });

  test('new files do not take the guessed facts of the last file, except those confirmed by an edit', () => {
    const guess = { brandName: 'Acme', area: 'Lobby', propertyName: 'Oslo' };
    const guessed = apply(emptyUploadTray, { type: 'added', files: [{ ...file('a'), guess }] });
    const next = itemOf(apply(guessed, { type: 'added', files: [file('b')] }), 'b');
    expect(next).toMatchObject({ brandName: '', area: '', propertyName: '', guessed: [] });
    const edited = apply(
      guessed,
      { type: 'edited', id: 'a', facts: { area: 'Spa' }, key: 'k' },
      { type: 'added', files: [file('b')] },
    );
    expect(itemOf(edited, 'b')).toMatchObject({ brandName: '', area: 'Spa', propertyName: '', guessed: [] });
  });

  test('a file that failed needs attention until it is queued again, even while it is edited', () => {
    const failed = apply(queued('a'), {
      type: 'failed',
      id: 'a',
      status: 'refused',
      message: 'The brand is gone.',
    });
    expect(itemOf(failed, 'a')?.needsAttention).toBe(true);
    const edited = apply(failed, { type: 'edited', id: 'a', facts: { brandName: 'Bolt' }, key: 'k' });
    expect(itemOf(edited, 'a')).toMatchObject({ status: 'draft', needsAttention: true });
    expect(itemOf(apply(edited, { type: 'queued', ids: ['a'] }), 'a')?.needsAttention).toBe(false);
  });

  test('the overall progress counts only the files and bytes of started uploads', () => {
    const state = apply(
      queued('a', 'b', 'c'),
      { type: 'sent', id: 'a', result: sent },
      { type: 'started', id: 'b' },
      { type: 'progressed', id: 'b', progress: 0.5 },
      { type: 'canceled', id: 'c' },
    );
    expect(uploadProgress(state.items)).toEqual({ files: 2, sentFiles: 1, bytes: 20, sentBytes: 15 });
  });
});

describe('files that are newer versions of specs', () => {
  const match = { specUploadId: 's', fileName: 'old.pdf', version: 2 };
  const complete = (...ids: string[]) =>
    apply(
      emptyUploadTray,
      { type: 'added', files: ids.map((id) => file(id)) },
      { type: 'applied-to-all', facts, keys: {} },
    );
  const matched = (...ids: string[]) =>
    apply(complete(...ids), { type: 'matched', matches: ids.map((id) => ({ id, facts, match })) });
  const choose = (isNewVersion: boolean, ...ids: string[]) => {
    const keys = Object.fromEntries(ids.map((id) => [id, `new-${id}`]));
    return { type: 'version-chosen', keys, isNewVersion } as const;
  };

  test('files with a brand and an area are looked up once, even when nothing matches', () => {
    const state = apply(complete('a', 'b'), { type: 'added', files: [file('c')] });
    const idsOf = (tray: UploadTrayState) => filesToMatch(tray.items).map(({ id }) => id);
    expect(idsOf(state)).toEqual(['a', 'b', 'c']);
    const looked = apply(state, { type: 'matched', matches: [{ id: 'a', facts, match: null }] });
    expect(idsOf(looked)).toEqual(['b', 'c']);
    expect(idsOf(apply(looked, { type: 'queued', ids: ['b'] }))).toEqual(['c']);
  });

  test('a file is a new spec until the user chooses to upload it as a new version, which changes its request key', () => {
    const state = matched('a', 'b');
    expect(itemOf(state, 'a')).toMatchObject({ match, isNewVersion: false, idempotencyKey: 'key-a' });
    const chosen = apply(state, choose(true, 'a'));
    expect(itemOf(chosen, 'a')).toMatchObject({ isNewVersion: true, idempotencyKey: 'new-a' });
    expect(itemOf(chosen, 'b')).toMatchObject({ isNewVersion: false, idempotencyKey: 'key-b' });
    expect(itemOf(apply(chosen, choose(false, 'a', 'b')), 'a')).toMatchObject({ isNewVersion: false });
    expect(itemOf(apply(complete('a'), choose(true, 'a')), 'a')).toMatchObject({ isNewVersion: false });
  });

  test('a match for facts that were edited in the meantime is ignored, and an edit discards the match', () => {
    const edit = { type: 'edited', id: 'a', facts: { area: 'Spa' }, key: 'k' } as const;
    const late = apply(complete('a'), edit, { type: 'matched', matches: [{ id: 'a', facts, match }] });
    expect(itemOf(late, 'a')?.match).toBeUndefined();
    const edited = apply(matched('a'), choose(true, 'a'), edit);
    expect(itemOf(edited, 'a')).toMatchObject({ isNewVersion: false, match: undefined });
  });

  test('a file that the server rejects is looked up again, because a newer version may exist', () => {
    const state = apply(
      matched('a'),
      choose(true, 'a'),
      { type: 'queued', ids: ['a'] },
      { type: 'started', id: 'a' },
      { type: 'failed', id: 'a', status: 'refused', message: 'A newer version already exists.' },
    );
    expect(filesToMatch(state.items)).toHaveLength(1);
    expect(itemOf(state, 'a')?.isNewVersion).toBe(false);
  });

  test('a spec is offered only to the file with the highest version, or to the one that was chosen', () => {
    const idsOf = (tray: UploadTrayState) => offeredVersions(tray.items).map(({ id }) => id);
    const state = matched('old v3', 'old v10', 'old v2');
    expect(idsOf(state)).toEqual(['old v10']);
    expect(idsOf(apply(state, choose(true, 'old v3')))).toEqual(['old v3']);
    const other = { ...match, specUploadId: 'other' };
    const both = apply(state, { type: 'matched', matches: [{ id: 'old v2', facts, match: other }] });
    expect(idsOf(both)).toEqual(['old v10', 'old v2']);
  });

  test('after a file has replaced a spec, other files that match that spec are looked up again', () => {
    const state = apply(
      matched('a', 'b'),
      choose(true, 'a'),
      { type: 'queued', ids: ['a'] },
      { type: 'sent', id: 'a', result: sent },
    );
    expect(filesToMatch(state.items).map(({ id }) => id)).toEqual(['b']);
    expect(offeredVersions(state.items).map(({ id }) => id)).toEqual(['a']);
  });
});
