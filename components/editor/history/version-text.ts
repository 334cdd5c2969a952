import { countOf } from '@/components/format/count';
import type { KeptVersion } from '@/lib/export/schema';

/**
 * Describes how a version differs from the previous one, for example `2 pages changed, 1 added`. For the oldest kept
 * version, returns its page count.
 */
export function describeChanges({ changes, pageCount }: Pick<KeptVersion, 'changes' | 'pageCount'>): string {
  if (!changes) return countOf(pageCount, 'page');
  const counts = Object.entries({
    changed: changes.changed,
    added: changes.added,
    removed: changes.removed,
  }).filter(([, count]) => count > 0);
  const parts = counts.map(([word, count], index) =>
    index === 0 ? `${countOf(count, 'page')} ${word}` : `${count} ${word}`,
  );
  if (changes.settings) parts.push(parts.length === 0 ? 'Cover or settings changed' : 'settings changed');
  return parts.join(', ') || 'No changes';
}

/** Groups consecutive versions that were saved on the same local day, keeping their order. */
export function versionsByDay(versions: readonly KeptVersion[]): { day: string; versions: KeptVersion[] }[] {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'full' });
  const days: { day: string; versions: KeptVersion[] }[] = [];
  for (const version of versions) {
    const day = format.format(new Date(version.createdAt));
    const last = days.at(-1);
    if (last?.day === day) last.versions.push(version);
    else days.push({ day, versions: [version] });
  }
  return days;
}
