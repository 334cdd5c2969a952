import { countOf } from '@/components/format/count';
import type { Spec, SpecStatus } from '@/lib/specs/schema';
import type { SpecEvents } from './spec-events';

/** The specs on all loaded pages of the list. `key` identifies the list's filters. */
export type ShownSpecs = { key: string; pages: number; specs: Spec[] };

const statusLabels: Record<SpecStatus, string> = {
  pending: 'is queued',
  processing: 'is being processed',
  completed: 'is done',
  failed: 'has failed',
};

/** Returns what screen readers announce about a change to the list, or null if there is nothing to announce. */
export function describeChange(before: ShownSpecs, after: ShownSpecs, events: SpecEvents): string | null {
  if (before.key !== after.key) return `${countOf(after.specs.length, 'spec')} shown.`;
  if (before.pages < after.pages) {
    return `${countOf(after.specs.length - before.specs.length, 'more spec')} shown.`;
  }
  const shown = new Map(after.specs.map((spec) => [spec.specUploadId, spec]));
  const deleted = before.specs.find(
    ({ specUploadId }) => !shown.has(specUploadId) && events[specUploadId]?.status === 'deleted',
  );
  if (deleted) return `${deleted.fileName} was deleted.`;
  const moved = before.specs.flatMap(({ specUploadId, status }) => {
    const now = shown.get(specUploadId);
    return now && now.status !== status ? [now] : [];
  });
  if (moved.length === 0) return null;
  if (moved.length <= 3) {
    return moved.map(({ fileName, status }) => `${fileName} ${statusLabels[status]}.`).join(' ');
  }
  const countWith = (status: SpecStatus) => moved.filter((spec) => spec.status === status).length;
  return `${countOf(moved.length, 'spec')} changed: ${countWith('completed')} done, ${countWith('failed')} failed.`;
}
