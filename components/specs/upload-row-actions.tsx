'use client';

import { Button } from '@mantine/core';
import { Link } from '@/components/shell/link';
import { useUploads } from './upload-queue-provider';
import { isReady, type UploadItem } from './upload-tray-state';

/** Shows the actions that the file's status allows, except canceling and removing. */
export function UploadRowActions({ item }: { item: UploadItem }) {
  const { send, keepAnyway } = useUploads();
  const { id, file, status, specUploadId } = item;
  const showLabel = status === 'sent' ? 'View' : 'View existing';
  const show = specUploadId && (
    <Button
      component={Link}
      href={`/admin/specs/${specUploadId}`}
      size="compact-xs"
      variant="default"
      aria-label={`${showLabel}: ${file.name}`}
    >
      {showLabel}
    </Button>
  );
  if (status === 'sent') return show;
  if (status === 'duplicate') {
    return (
      <>
        {show}
        <Button size="compact-xs" onClick={() => keepAnyway(id)} aria-label={`Upload anyway: ${file.name}`}>
          Upload anyway
        </Button>
      </>
    );
  }
  if (status === 'interrupted' || status === 'refused') {
    return (
      <Button
        size="compact-xs"
        onClick={() => send(id)}
        disabled={!isReady(item)}
        aria-label={`Try again: ${file.name}`}
      >
        Try again
      </Button>
    );
  }
  return null;
}
