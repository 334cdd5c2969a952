'use client';

import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { countOf } from '@/components/format/count';
import { UploadApplyAll } from './upload-apply-all';
import { useUploads } from './upload-queue-provider';
import { UploadRow } from './upload-row';
import classes from './upload-row.module.css';
import { isFinished, isReady, type UploadItem } from './upload-tray-state';

function summary(items: UploadItem[]): string {
  const count = (...statuses: UploadItem['status'][]) =>
    items.filter(({ status }) => statuses.includes(status)).length;
  const stuck = count('duplicate', 'interrupted', 'refused', 'unsendable');
  const parts = [
    [count('sending', 'queued'), 'uploading'],
    [count('sent'), 'uploaded'],
    [stuck, stuck === 1 ? 'needs attention' : 'need attention'],
  ] as const;
  return parts
    .filter(([n]) => n > 0)
    .map(([n, words]) => `${n} ${words}`)
    .join(', ');
}

/** Shows the list of files to upload, with a summary and the "Upload" button. */
export function UploadTray({ brands, areas }: { brands: string[]; areas: string[] }) {
  const { items, sendAll, clearFinished } = useUploads();
  const ready = items.filter(isReady).length;
  const open = items.filter(({ status }) => status === 'draft').length;
  const finished = items.some(isFinished);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby="tray-title">
      <Group justify="space-between" mb="md">
        <div>
          <Title order={2} id="tray-title">
            {countOf(items.length, 'file')}
          </Title>
          <Text size="sm" c="dimmed">
            {summary(items) || 'Choose a brand and an area for each file, then upload.'}
          </Text>
        </div>
        <Group gap="xs">
          {finished && (
            <Button variant="default" onClick={clearFinished}>
              Clear finished
            </Button>
          )}
          {(ready > 0 || open > 0) && (
            <Button onClick={sendAll} disabled={ready === 0}>
              {ready > 0 ? `Upload ${countOf(ready, 'file')}` : 'Upload'}
            </Button>
          )}
        </Group>
      </Group>
      {open > 1 && <UploadApplyAll brands={brands} areas={areas} />}
      <ul className={classes.list} aria-label="Files to upload">
        {items.map((item) => (
          <UploadRow key={item.id} item={item} brands={brands} areas={areas} />
        ))}
      </ul>
    </Paper>
  );
}
