import { isEditable, type UploadItem } from './upload-tray-state';

// The names of files that match the same spec usually differ only in a version, revision letter or date. Numeric
// collation usually puts the latest one last.
const byVersion = new Intl.Collator('en', { numeric: true });

function precedes(item: UploadItem, other: UploadItem): boolean {
  if (item.isNewVersion !== other.isNewVersion) return item.isNewVersion;
  return byVersion.compare(item.file.name, other.file.name) > 0;
}

/**
 * Returns the files that the user has marked, or can still mark, as new versions of the specs that they match. Only one
 * file can replace a spec, so the result contains one file for each matched spec. This is the marked file or, if no
 * file is marked, the one whose name sorts last.
 */
export function offeredVersions(items: readonly UploadItem[]): UploadItem[] {
  const offered = new Map<string, UploadItem>();
  for (const item of items) {
    if (!item.match || !(isEditable(item) || item.isNewVersion)) continue;
    const other = offered.get(item.match.specUploadId);
    if (!other || precedes(item, other)) offered.set(item.match.specUploadId, item);
  }
  return [...offered.values()];
}
