'use client';

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { formatBytes } from '@/components/format/bytes';
import { type FactsProps, UploadFactsFields } from './upload-facts';
import { useUploads } from './upload-queue-provider';
import { UploadRowActions } from './upload-row-actions';
import classes from './upload-table.module.css';
import { isEditable, type UploadItem, type UploadStatus } from './upload-tray-state';
import { UploadVersion } from './upload-version';

const labels: Record<UploadStatus, string> = {
  draft: 'Not uploaded yet',
  queued: 'Queued',
  sending: 'Uploading',
  sent: 'Uploaded',
  duplicate: 'Duplicate',
  interrupted: 'Interrupted',
  refused: 'Rejected',
  unsendable: "Can't upload",
};

function stateOf({ status, progress, file }: UploadItem): string {
  if (status !== 'sending') return labels[status];
  // All bytes have been sent, but the server is still checking the file.
  if (progress >= 1) return 'Checking';
  return `${formatBytes(progress * file.size)} of ${formatBytes(file.size)} sent`;
}

/** Moves the focus to the next row or, after the last row, to the previous one. Call this before removing the row. */
function focusNeighbor(button: HTMLElement): void {
  const row = button.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  next?.querySelector<HTMLElement>('button, a, input')?.focus();
}

type UploadRowProps = FactsProps & {
  item: UploadItem;
  /** Whether to show the checkbox that marks the file as a new version of the spec that it matches. */
  offersVersion: boolean;
};

/** Shows one file to upload: its brand, area and property, its progress and its actions. */
export const UploadRow = memo(function UploadRow({ item, offersVersion, ...facts }: UploadRowProps) {
  const { edit, cancel, remove } = useUploads();
  const { id, file, status } = item;
  const isUnderWay = status === 'queued' || status === 'sending';
  return (
    <li className={classes.row} data-status={status}>
      <span className={classes.name} title={file.name}>
        {file.name}
      </span>
      <span className={classes.size}>{formatBytes(file.size)}</span>
      {isEditable(item) ? (
        <UploadFactsFields
          {...facts}
          of={file.name}
          facts={item}
          guessed={item.guessed}
          placeholder="Choose"
          onChange={(changed) => edit(id, changed)}
        />
      ) : (
        <>
          <span className={classes.fact}>{item.brandName}</span>
          <span className={classes.fact}>{item.area}</span>
          <span className={classes.fact}>{item.propertyName}</span>
        </>
      )}
      <span className={classes.state}>
        {stateOf(item)}
        {status === 'sending' && (
          <progress value={item.progress} aria-label={`Upload progress of ${file.name}`} />
        )}
      </span>
      <span className={classes.actions}>
        <UploadRowActions item={item} />
        {isUnderWay ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => cancel(id)}
            aria-label={`Cancel: ${file.name}`}
          >
            Cancel
          </Button>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={(event) => {
              focusNeighbor(event.currentTarget);
              remove(id);
            }}
            aria-label={`Remove ${file.name}`}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </span>
      {offersVersion && <UploadVersion item={item} />}
      {item.message && <p className={classes.message}>{item.message}</p>}
    </li>
  );
});
