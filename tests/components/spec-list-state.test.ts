import { describe, expect, test } from 'vitest';
import { initialSpecList, specListReducer } from '@/components/specs/spec-list-state';
import type { Spec, SpecStatus, SpecsResponse } from '@/lib/specs/schema';

function specOf(id: string, status: SpecStatus, statusSeq: number): Spec {
  return {
    specUploadId: id,
    documentId: id,
    brandName: 'Acme',
    area: 'Lobby',
    propertyName: null,
    fileName: `${id}.pdf`,
    sizeBytes: 1,
    sha256: '',
    isProtected: false,
    status,
    statusSeq,
    sectionsCount: status === 'completed' ? 12 : null,
    error: null,
    progress: null,
    progressAt: null,
    note: null,
    startedAt: null,
    deadlineAt: null,
    createdBy: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    url: null,
    attempts: [],
  };
}
const answerOf = (specs: Spec[], nextCursor: string | null = null): SpecsResponse => ({
  specs,
  counts: { pending: 0, processing: 0, completed: 0, failed: 0 },
  nextCursor,
});
const idsOf = ({ specs }: { specs: Spec[] }) => specs.map(({ specUploadId }) => specUploadId);

describe('specListReducer', () => {
  test('an event updates its row and is announced', () => {
    const state = initialSpecList(answerOf([specOf('a', 'pending', 1), specOf('b', 'pending', 1)]));
    const next = specListReducer(state, {
      type: 'event',
      event: { specUploadId: 'a', status: 'processing', statusSeq: 2, progress: null },
    });
    expect(next.specs.map(({ status }) => status)).toEqual(['processing', 'pending']);
    expect(next.announcement?.text).toBe('a.pdf is being processed.');
  });

  test('an event shows the new progress at once', () => {
    const spec = { ...specOf('a', 'processing', 2), progress: 0.25, progressAt: '2026-01-01T00:01:00Z' };
    const event = { specUploadId: 'a', status: 'processing', statusSeq: 3, progress: 0.5 } as const;
    const next = specListReducer(initialSpecList(answerOf([spec])), { type: 'event', event });
    expect(next.specs[0]).toMatchObject({ progress: 0.5, progressAt: null });
    expect(next.announcement).toBeNull();
  });

  test('an event with a lower or equal sequence number is ignored', () => {
    const state = initialSpecList(answerOf([specOf('a', 'completed', 3)]));
    for (const statusSeq of [2, 3]) {
      const event = { specUploadId: 'a', status: 'processing' as const, statusSeq, progress: null };
      expect(specListReducer(state, { type: 'event', event })).toBe(state);
    }
  });

  test('events lead to the same state in any order', () => {
    const start = initialSpecList(answerOf([specOf('a', 'pending', 1)]));
    const moves = [
      { specUploadId: 'a', status: 'processing' as const, statusSeq: 2, progress: null },
      { specUploadId: 'a', status: 'failed' as const, statusSeq: 3, progress: null },
      { specUploadId: 'a', status: 'pending' as const, statusSeq: 4, progress: null },
    ];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const end = order.reduce((state, i) => {
        const event = moves[i];
        return event ? specListReducer(state, { type: 'event', event }) : state;
      }, start);
      expect(end.specs[0]?.status).toBe('pending');
    }
  });

  test('a response older than an event does not revert the row', () => {
    const late = answerOf([specOf('a', 'processing', 2)]);
    let state = initialSpecList(late);
    state = specListReducer(state, {
      type: 'event',
      event: { specUploadId: 'a', status: 'completed', statusSeq: 3, progress: null },
    });
    state = specListReducer(state, { type: 'refreshed', response: late });
    expect(state.specs[0]?.status).toBe('completed');
    state = specListReducer(state, { type: 'refreshed', response: answerOf([specOf('a', 'completed', 3)]) });
    expect(state.specs[0]?.sectionsCount).toBe(12);
  });

  test('a deleted spec is removed and does not return with an older response', () => {
    const response = answerOf([specOf('a', 'failed', 3), specOf('b', 'failed', 3)]);
    let state = specListReducer(initialSpecList(response), {
      type: 'event',
      event: { specUploadId: 'a', status: 'deleted', statusSeq: 4, progress: null },
    });
    expect(idsOf(state)).toEqual(['b']);
    expect(state.announcement?.text).toBe('a.pdf was deleted.');
    state = specListReducer(state, { type: 'refreshed', response });
    expect(idsOf(state)).toEqual(['b']);
  });

  test('the next page adds only new rows and sets the cursor', () => {
    const state = initialSpecList(answerOf([specOf('c', 'pending', 1), specOf('b', 'pending', 1)], 'x'));
    const next = specListReducer(state, {
      type: 'extended',
      response: answerOf([specOf('b', 'pending', 1), specOf('a', 'pending', 1)]),
    });
    expect(idsOf(next)).toEqual(['c', 'b', 'a']);
    expect(next.nextCursor).toBeNull();
  });

  test('a new filter replaces the rows and announces their number', () => {
    const state = initialSpecList(answerOf([specOf('a', 'pending', 1)]));
    const next = specListReducer(state, { type: 'replaced', response: answerOf([specOf('b', 'failed', 1)]) });
    expect(idsOf(next)).toEqual(['b']);
    expect(next.announcement?.text).toBe('1 spec shown.');
  });

  test('many simultaneous changes are announced as one summary', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const state = initialSpecList(answerOf(ids.map((id) => specOf(id, 'processing', 1))));
    const response = answerOf(ids.map((id) => specOf(id, id === 'e' ? 'failed' : 'completed', 2)));
    const next = specListReducer(state, { type: 'refreshed', response });
    expect(next.announcement?.text).toBe('5 specs changed: 4 done, 1 failed.');
  });
});
