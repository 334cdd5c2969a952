import { countOf } from '@/components/format/count';
import type { Spec, SpecCounts, SpecStatus, SpecsResponse } from '@/lib/specs/schema';

/** A change of one spec, as broadcast. */
export type SpecEvent = {
  specUploadId: string;
  status: SpecStatus | 'deleted';
  statusSeq: number;
  progress: number | null;
};

export type SpecListState = {
  specs: Spec[];
  counts: SpecCounts;
  nextCursor: string | null;
  /** The highest sequence number seen for each spec; anything older is outdated and ignored. */
  seqs: Record<string, number>;
  /** Ids deleted while the page is open; a response already on its way may still contain them. */
  deleted: string[];
  /** Screen reader announcement. A new object for each message, so that a repeated one is announced again. */
  announcement: { text: string } | null;
};

export type SpecListAction =
  /** The first page for other filters. */
  | { type: 'replaced'; response: SpecsResponse }
  /** The first page of the same list, reloaded. */
  | { type: 'refreshed'; response: SpecsResponse }
  | { type: 'extended'; response: SpecsResponse }
  | { type: 'event'; event: SpecEvent };

const words: Record<SpecStatus, string> = {
  pending: 'is queued',
  processing: 'is being processed',
  completed: 'is done',
  failed: 'has failed',
};

/** The initial state, from the server-rendered page. */
export function initialSpecList(response: SpecsResponse): SpecListState {
  const seqs = Object.fromEntries(response.specs.map((spec) => [spec.specUploadId, spec.statusSeq]));
  return { ...response, seqs, deleted: [], announcement: null };
}

/** The next state of the list. */
export function specListReducer(state: SpecListState, action: SpecListAction): SpecListState {
  switch (action.type) {
    case 'replaced':
      return {
        ...withRows(state, action.response.specs),
        ...pageOf(action.response),
        announcement: { text: `${countOf(action.response.specs.length, 'spec')} shown.` },
      };
    case 'refreshed': {
      const next = { ...withRows(state, action.response.specs), ...pageOf(action.response) };
      return { ...next, announcement: announce(state.specs, next.specs) ?? state.announcement };
    }
    case 'extended': {
      const shown = new Set(state.specs.map((spec) => spec.specUploadId));
      const added = action.response.specs.filter((spec) => !shown.has(spec.specUploadId));
      return {
        ...withRows(state, [...state.specs, ...added]),
        ...pageOf(action.response),
        announcement: { text: `${countOf(added.length, 'more spec')} shown.` },
      };
    }
    case 'event':
      return applyEvent(state, action.event);
  }
}

function pageOf({ counts, nextCursor }: SpecsResponse) {
  return { counts, nextCursor };
}

function withRows(state: SpecListState, rows: Spec[]): SpecListState {
  const seqs = { ...state.seqs };
  const specs = rows
    .filter((row) => !state.deleted.includes(row.specUploadId))
    .map((row) => {
      const known = seqs[row.specUploadId] ?? -1;
      if (row.statusSeq >= known) {
        seqs[row.specUploadId] = row.statusSeq;
        return row;
      }
      // The response is older than an event that is already shown.
      return state.specs.find((spec) => spec.specUploadId === row.specUploadId) ?? row;
    });
  return { ...state, specs, seqs };
}

function applyEvent(state: SpecListState, event: SpecEvent): SpecListState {
  const { specUploadId, status, statusSeq, progress } = event;
  if (status === 'deleted') {
    const gone = state.specs.find((spec) => spec.specUploadId === specUploadId);
    return {
      ...state,
      specs: state.specs.filter((spec) => spec !== gone),
      deleted: state.deleted.includes(specUploadId) ? state.deleted : [...state.deleted, specUploadId],
      announcement: gone ? { text: `${gone.fileName} was deleted.` } : state.announcement,
    };
  }
  if (statusSeq <= (state.seqs[specUploadId] ?? -1)) return state;
  const specs = state.specs.map((spec) =>
    spec.specUploadId === specUploadId
      ? // The next fetch returns when the progress was reported.
        { ...spec, status, statusSeq, progress, progressAt: null }
      : spec,
  );
  return {
    ...state,
    specs,
    seqs: { ...state.seqs, [specUploadId]: statusSeq },
    announcement: announce(state.specs, specs) ?? state.announcement,
  };
}

function announce(before: Spec[], after: Spec[]): { text: string } | null {
  const statusBefore = new Map(before.map((spec) => [spec.specUploadId, spec.status]));
  const moved = after.filter((spec) => {
    const old = statusBefore.get(spec.specUploadId);
    return old !== undefined && old !== spec.status;
  });
  if (moved.length === 0) return null;
  if (moved.length <= 3) {
    return { text: moved.map((spec) => `${spec.fileName} ${words[spec.status]}.`).join(' ') };
  }
  const completed = moved.filter((spec) => spec.status === 'completed').length;
  const failed = moved.filter((spec) => spec.status === 'failed').length;
  return { text: `${countOf(moved.length, 'spec')} changed: ${completed} done, ${failed} failed.` };
}
