import { setImmediate } from 'node:timers/promises';
import { HttpError } from '@/lib/errors/problem';
import type { Db } from '@/lib/supabase/request';
import type { ChangesResponse, SpecChange } from '../schema';
import { findVersions } from '../versions';
import { compareText, type TextPiece, wholeText } from './compare-text';
import { type PartPair, pairPages, pairSections } from './pair-parts';
import { type ReadSpec, readParts } from './read-parts';

const MAX_CHANGES = 300;
/** Maximum number of text comparisons per request. Comparing very different texts takes up to 0.2 seconds. */
const MAX_COMPARED = 100;

/** Returns how a part changed, without its text, or null if it did not change. */
function changeOf(pair: PartPair): Omit<SpecChange, 'pieces'> | null {
  const { before, after } = pair;
  const isMoved = before !== null && after !== null && pair.isMoved;
  const hasNewTitle = before !== null && after !== null && before.title !== after.title;
  const facts = {
    isMoved,
    title: (after ?? before)?.title ?? null,
    oldTitle: hasNewTitle ? before.title : null,
    page: after?.page ?? null,
    oldPage: before?.page ?? null,
  };
  if (before === null) return { kind: 'added', ...facts };
  if (after === null) return { kind: 'removed', ...facts };
  if (hasNewTitle || before.text !== after.text) return { kind: 'changed', ...facts };
  return isMoved ? { kind: 'moved', ...facts } : null;
}

function piecesOf({ before, after }: PartPair): TextPiece[] | null {
  if (before === null) return wholeText('added', after.text);
  if (after === null) return wholeText('removed', before.text);
  return before.text === after.text ? [] : compareText(before.text, after.text);
}

/**
 * Returns up to `MAX_CHANGES` changes between the parts of two versions. Yields to other requests between text
 * comparisons. Leaves out the text of the changed parts after the first `MAX_COMPARED`.
 */
export async function changesBetween(
  before: ReadSpec,
  after: ReadSpec,
): Promise<Omit<ChangesResponse, 'from' | 'to'>> {
  const hasSections = before.sections.length > 0 && after.sections.length > 0;
  const hasText = before.pages.length > 0 && after.pages.length > 0;
  const counts = { added: 0, removed: 0, changed: 0, moved: 0, unchanged: 0 };
  const changes: SpecChange[] = [];
  const basis = hasSections ? 'sections' : 'pages';
  // A version that is being read is not compared yet. Its pages are stored before the sections of its outline, so the
  // comparison could miss these sections.
  if (before.isReading || after.isReading) return { state: 'reading', basis, counts, changes, more: 0 };
  if (!hasText && !hasSections) return { state: 'no_text', basis, counts, changes, more: 0 };
  const pairs = hasSections
    ? pairSections(before.sections, after.sections)
    : pairPages(before.pages, after.pages);
  let [compared, more] = [0, 0];
  for (const pair of pairs) {
    const change = changeOf(pair);
    counts[change?.kind ?? 'unchanged'] += 1;
    if (!change) continue;
    if (changes.length === MAX_CHANGES) {
      more += 1;
      continue;
    }
    if (change.kind === 'changed') {
      compared += 1;
      await setImmediate();
    }
    const pieces = change.kind === 'changed' && compared > MAX_COMPARED ? null : piecesOf(pair);
    changes.push({ ...change, pieces });
  }
  return { state: 'ready', basis, counts, changes, more };
}

/** Returns the error to throw if the version to compare with is not found. */
function noVersion(fromId: string | undefined): HttpError {
  if (fromId === undefined) return new HttpError('not_found', 'This spec has no earlier version.');
  return new HttpError('invalid_request', 'from is not a version of this spec.', {
    errors: [{ path: 'from', message: 'is not a version of this spec' }],
  });
}

/**
 * Returns what changed in a spec since version `fromId`, by default the previous version. Throws `not_found`,
 * `invalid_request` or `unavailable`.
 */
export async function specChanges(db: Db, id: string, fromId: string | undefined): Promise<ChangesResponse> {
  const { to, from } = await findVersions(db, id, fromId);
  if (!to) throw new HttpError('not_found');
  if (!from) throw noVersion(fromId);
  const [before, after] = await Promise.all([readParts(db, from.specUploadId), readParts(db, id)]);
  return { from, to, ...(await changesBetween(before, after)) };
}
