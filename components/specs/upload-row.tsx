'use client';

import { ActionIcon, Button, Progress, Select, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { formatBytes } from '@/components/format/bytes';
import { useUploads } from './upload-queue-provider';
import classes from './upload-row.module.css';
import { UploadRowActions } from './upload-row-actions';
import { isEditable, type UploadItem, type UploadStatus } from './upload-tray-state';

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

/** Moves the focus to the next row, or the previous one, before this row is removed. */
function focusNeighbor(button: HTMLElement): void {
  const row = button.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  next?.querySelector<HTMLElement>('button, a, input')?.focus();
}

/** Shows one file to upload: its brand, area and property, its progress and its actions. */
export function UploadRow({ item, brands, areas }: { item: UploadItem; brands: string[]; areas: string[] }) {
  const { edit, cancel, remove } = useUploads();
  const { id, file, status } = item;
  const under = status === 'queued' || status === 'sending';
  return (
    <li className={classes.row} data-status={status}>
      <div className={classes.head}>
        <div className={classes.name}>
          <Text fw={600} size="sm">
            {file.name}
          </Text>
          <Text size="xs" c="dimmed" className={classes.state}>
            {formatBytes(file.size)} · {stateOf(item)}
          </Text>
        </div>
        <div className={classes.ways}>
          <UploadRowActions item={item} />
        </div>
        {under ? (
          <Button size="xs" variant="default" onClick={() => cancel(id)} aria-label={`Cancel: ${file.name}`}>
            Cancel
          </Button>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={(event) => {
              focusNeighbor(event.currentTarget);
              remove(id);
            }}
            aria-label={`Remove ${file.name}`}
          >
            <IconX size={18} />
          </ActionIcon>
        )}
      </div>
      {status === 'sending' && (
        <Progress.Root size="sm" mt={8}>
          <Progress.Section value={item.progress * 100} aria-label={`Upload progress of ${file.name}`} />
        </Progress.Root>
      )}
      {item.message && (
        <Text size="sm" mt={6} className={classes.message}>
          {item.message}
        </Text>
      )}
      {isEditable(item) && (
        <div className={classes.facts}>
          <Select
            label="Brand"
            placeholder="Choose"
            aria-label={`Brand of ${file.name}`}
            data={brands}
            value={item.brandName || null}
            onChange={(value) => edit(id, { brandName: value ?? '' })}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No brand matches"
          />
          <Select
            label="Area"
            placeholder="Choose"
            aria-label={`Area of ${file.name}`}
            data={areas}
            value={item.area || null}
            onChange={(value) => edit(id, { area: value ?? '' })}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No area matches"
          />
          <TextInput
            label="Property (optional)"
            aria-label={`Property of ${file.name} (optional)`}
            value={item.propertyName}
            maxLength={120}
            onChange={(event) => edit(id, { propertyName: event.currentTarget.value })}
          />
        </div>
      )}
      {!isEditable(item) && status !== 'unsendable' && (
        <Text size="sm" mt={6}>
          {[item.brandName, item.area, item.propertyName].filter(Boolean).join(' · ')}
        </Text>
      )}
    </li>
  );
}
