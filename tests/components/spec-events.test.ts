import { describe, expect, test } from 'vitest';
import { describeChange } from '@/components/specs/describe-change';
import { addEvent, type SpecEvent, type SpecEvents, withEvents } from '@/components/specs/spec-events';
import type { Spec, SpecStatus } from '@/lib/specs/schema';

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
const eventOf = (id: string, status: SpecEvent['status'], statusSeq: number): SpecEvent => ({
  specUploadId: id,
  status,
  statusSeq,
  progress: null,
});
const known = (...events: SpecEvent[]) => events.reduce<SpecEvents>(addEvent, {});
const statusesOf = (specs: Spec[]) => specs.map(({ specUploadId, status }) => `${specUploadId} ${status}`);

describe('withEvents', () => {
  test('an event updates its row', () => {
    const specs = [specOf('a', 'pending', 1), specOf('b', 'pending', 1)];
    const shown = withEvents(specs, known(eventOf('a', 'processing', 2)));
    expect(statusesOf(shown)).toEqual(['a processing', 'b pending']);
  });

  test('an event shows the new progress at once', () => {
    const spec = { ...specOf('a', 'processing', 2), progress: 0.25, progressAt: '2026-01-01T00:01:00Z' };
    const shown = withEvents([spec], known({ ...eventOf('a', 'processing', 3), progress: 0.5 }));
    expect(shown[0]).toMatchObject({ progress: 0.5, progressAt: null });
  });

  test('a spec that starts or ends is no longer shown as being sent again', () => {
    const retrying = { attempt: 2, maxAttempts: 14, nextAttemptAt: null, reason: 'HTTP 500' };
    const spec = { ...specOf('a', 'pending', 2), retrying };
    expect(withEvents([spec], known(eventOf('a', 'pending', 3)))[0]).toMatchObject({ retrying });
    for (const status of ['processing', 'failed'] as const) {
      expect(withEvents([spec], known(eventOf('a', status, 3)))[0]).toMatchObject({ retrying: null });
    }
  });

  test('a response that is at least as new as an event is shown unchanged', () => {
    const spec = specOf('a', 'completed', 3);
    for (const statusSeq of [2, 3]) {
      expect(withEvents([spec], known(eventOf('a', 'processing', statusSeq)))[0]).toBe(spec);
    }
  });

  test('a response older than an event does not revert the row', () => {
    const events = known(eventOf('a', 'completed', 3));
    expect(statusesOf(withEvents([specOf('a', 'processing', 2)], events))).toEqual(['a completed']);
  });

  test('events lead to the same state in any order', () => {
    const start = [specOf('a', 'pending', 1)];
    const [one, two, three] = [
      eventOf('a', 'processing', 2),
      eventOf('a', 'failed', 3),
      eventOf('a', 'pending', 4),
    ];
    for (const order of [
      [one, two, three],
      [three, two, one],
      [two, three, one],
      [three, one, two],
    ]) {
      expect(withEvents(start, known(...order))[0]).toMatchObject({ status: 'pending', statusSeq: 4 });
    }
  });

  test('a deleted spec does not reappear with an older response or a late event', () => {
    const specs = [specOf('a', 'failed', 3), specOf('b', 'failed', 3)];
    const events = known(eventOf('a', 'deleted', 0), eventOf('a', 'pending', 4));
    expect(statusesOf(withEvents(specs, events))).toEqual(['b failed']);
    const other = known(eventOf('a', 'pending', 4), eventOf('a', 'deleted', 0));
    expect(statusesOf(withEvents(specs, other))).toEqual(['b failed']);
  });
});

describe('describeChange', () => {
  const shownOf = (specs: Spec[], pages = 1, key = '') => ({ key, pages, specs });
  const before = shownOf([specOf('b', 'processing', 1), specOf('a', 'pending', 1)]);

  test('a list without changes is not announced', () => {
    expect(describeChange(before, { ...before }, {})).toBeNull();
  });

  test('a change of status is announced', () => {
    const now = shownOf([specOf('b', 'completed', 2), specOf('a', 'processing', 2)]);
    expect(describeChange(before, now, {})).toBe('b.pdf is done. a.pdf is being processed.');
  });

  test('a deleted spec is announced, and one that no longer matches the filter is not', () => {
    const now = shownOf([specOf('b', 'processing', 1)]);
    expect(describeChange(before, now, known(eventOf('a', 'deleted', 0)))).toBe('a.pdf was deleted.');
    expect(describeChange(before, now, {})).toBeNull();
  });

  test('the list for another filter is announced with its number of specs', () => {
    const now = shownOf([specOf('c', 'failed', 1)], 1, 'status=failed');
    expect(describeChange(before, now, {})).toBe('1 spec shown.');
  });

  test('the next page is announced with its number of specs', () => {
    const now = shownOf([...before.specs, specOf('c', 'failed', 1)], 2);
    expect(describeChange(before, now, {})).toBe('1 more spec shown.');
  });

  test('many simultaneous changes are announced as one summary', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const old = shownOf(ids.map((id) => specOf(id, 'processing', 1)));
    const now = shownOf(ids.map((id) => specOf(id, id === 'e' ? 'failed' : 'completed', 2)));
    expect(describeChange(old, now, {})).toBe('5 specs changed: 4 done, 1 failed.');
  });
});
