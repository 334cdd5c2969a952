'use client';

import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { formatBytes } from '@/components/format/bytes';
import { countOf } from '@/components/format/count';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { offeredVersions } from './offered-versions';
import { type FactsProps, UploadFactsFields } from './upload-facts';
import { useUploadState, useUploads } from './upload-queue-provider';
import { UploadRow } from './upload-row';
import classes from './upload-table.module.css';
import { isFinished, isReady, type UploadFacts, type UploadItem, uploadProgress } from './upload-tray-state';
import { AllNewVersions } from './upload-version';
import { useMatches } from './use-matches';

/** Shows the files to upload with their facts and progress. Files that need attention come first. */
export function UploadTable(props: FactsProps) {
  const { items } = useUploadState();
  const { sendAll, clearFinished } = useUploads();
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const [showsSent, sent] = useDisclosure();
  const attention = items.filter(({ needsAttention }) => needsAttention);
  const uploaded = items.filter(({ status }) => status === 'sent');
  const others = items.filter(({ needsAttention, status }) => !needsAttention && status !== 'sent');
  const ready = items.filter(isReady).length;
  const drafts = items.filter(({ status }) => status === 'draft').length;
  const offered = new Set(offeredVersions(items));
  useMatches(items);

  return (
    <Paper
      withBorder
      p={{ base: 'sm', sm: 'md' }}
      component="section"
      aria-labelledby="uploads-title"
      tabIndex={-1}
      {...keptFocus}
    >
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h3" id="uploads-title">
            {countOf(items.length, 'file')}
          </Title>
          {drafts > 0 && ready < drafts && (
            <Text size="sm" c="dimmed">
              Choose a brand and an area for each file, then upload.
            </Text>
          )}
        </div>
        <Group gap="xs">
          {items.some(isFinished) && (
            <Button variant="default" onClick={clearFinished}>
              Clear finished
            </Button>
          )}
          {(ready > 0 || drafts > 0) && (
            <Button onClick={sendAll} disabled={ready === 0}>
              {ready > 0 ? `Upload ${countOf(ready, 'file')}` : 'Upload'}
            </Button>
          )}
        </Group>
      </Group>
      <AllNewVersions items={items} />
      <OverallProgress items={items} />
      {attention.length + others.length > 0 && (
        <div className={classes.header} aria-hidden="true">
          <span>File</span>
          <span className={classes.size}>Size</span>
          <span>Brand</span>
          <span>Area</span>
          <span>Property</span>
          <span>Status</span>
          <span />
        </div>
      )}
      {drafts > 1 && <AllFilesRow {...props} />}
      {attention.length > 0 && (
        <Rows {...props} offered={offered} title="Needs attention" items={attention} />
      )}
      {others.length > 0 && (
        <Rows {...props} offered={offered} title={attention.length > 0 ? 'Other files' : ''} items={others} />
      )}
      {uploaded.length > 0 && (
        <>
          <Button variant="subtle" size="compact-sm" mt="xs" onClick={sent.toggle} aria-expanded={showsSent}>
            {showsSent ? 'Hide' : 'Show'} {countOf(uploaded.length, 'uploaded file')}
          </Button>
          {showsSent && (
            <Rows {...props} offered={offered} title="" label="Uploaded files" items={uploaded} />
          )}
        </>
      )}
    </Paper>
  );
}

type RowsProps = FactsProps & {
  title: string;
  label?: string;
  items: UploadItem[];
  /** The files that are marked as new versions or can still be marked, one for each matched spec. */
  offered: Set<UploadItem>;
};

function Rows({ title, label = 'Files to upload', items, offered, ...props }: RowsProps) {
  return (
    <>
      {title && (
        <Text component="h3" size="sm" fw={600} mt="sm" mb={4}>
          {title}
        </Text>
      )}
      <ul className={classes.list} aria-label={title || label}>
        {items.map((item) => (
          <UploadRow key={item.id} item={item} offersVersion={offered.has(item)} {...props} />
        ))}
      </ul>
    </>
  );
}

/** Shows how many files and bytes of the current uploads have been sent. */
function OverallProgress({ items }: { items: UploadItem[] }) {
  const { files, sentFiles, bytes, sentBytes } = uploadProgress(items);
  if (files === 0) return null;
  const share = bytes === 0 ? 1 : sentBytes / bytes;
  return (
    <div className={classes.overall}>
      <Text size="sm">
        {sentFiles} of {countOf(files, 'file')} uploaded
        {sentFiles < files && ` · ${formatBytes(sentBytes)} of ${formatBytes(bytes)}`}
      </Text>
      <progress value={share} aria-label="Progress of all uploads" />
    </div>
  );
}

const noFacts: UploadFacts = { brandName: '', area: '', propertyName: '' };

/** Shows fields that set the brand, area or property of all editable files. Fields left empty change nothing. */
function AllFilesRow(props: FactsProps) {
  const { applyToAll } = useUploads();
  const [facts, setFacts] = useState(noFacts);
  const chosen = Object.fromEntries(Object.entries(facts).filter(([, value]) => value.trim() !== ''));
  return (
    <fieldset className={`${classes.row} ${classes.all}`} aria-label="All files">
      <span className={classes.name}>All files</span>
      <span className={classes.size} />
      <UploadFactsFields
        {...props}
        of="all files"
        facts={facts}
        placeholder="Keep"
        onChange={(changed) => setFacts({ ...facts, ...changed })}
      />
      <span className={classes.state} />
      <span className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={Object.keys(chosen).length === 0}
          onClick={() => {
            applyToAll(chosen);
            setFacts(noFacts);
          }}
        >
          Apply to all
        </Button>
      </span>
    </fieldset>
  );
}
