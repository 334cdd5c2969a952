'use client';

import { Checkbox } from '@mantine/core';
import { countOf } from '@/components/format/count';
import { offeredVersions } from './offered-versions';
import { useUploads } from './upload-queue-provider';
import classes from './upload-table.module.css';
import { isEditable, type UploadItem } from './upload-tray-state';

/** Lets the user upload a file as the next version of the spec that it matches. Shows nothing without a match. */
export function UploadVersion({ item }: { item: UploadItem }) {
  const { chooseVersion } = useUploads();
  if (!item.match) return null;
  const { fileName, version } = item.match;
  return (
    <Checkbox
      className={classes.version}
      size="xs"
      label={`New version of ${fileName} (v${version})`}
      aria-label={`${item.file.name}: new version of ${fileName} (v${version})`}
      checked={item.isNewVersion}
      disabled={!isEditable(item)}
      onChange={({ currentTarget }) => chooseVersion([item.id], currentTarget.checked)}
    />
  );
}

/**
 * Shows a checkbox that marks files as new versions of the specs that they match. If several files match the same spec,
 * the checkbox marks only one of them. Shows nothing if it would mark fewer than two files.
 */
export function AllNewVersions({ items }: { items: readonly UploadItem[] }) {
  const { chooseVersion } = useUploads();
  const matching = offeredVersions(items).filter(isEditable);
  if (matching.length < 2) return null;
  const chosen = matching.filter(({ isNewVersion }) => isNewVersion).length;
  return (
    <Checkbox
      mb="sm"
      label={`Upload ${countOf(matching.length, 'file')} as new versions of existing specs`}
      checked={chosen === matching.length}
      indeterminate={chosen > 0 && chosen < matching.length}
      onChange={({ currentTarget }) =>
        chooseVersion(
          matching.map(({ id }) => id),
          currentTarget.checked,
        )
      }
    />
  );
}
