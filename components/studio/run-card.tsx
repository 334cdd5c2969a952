'use client';

import { Alert, Anchor, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { memo } from 'react';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import { formatDuration } from '@/components/format/time';
import { isUnderWay } from '@/hooks/image-gen/image-gen-state';
import type { ImageJob } from '@/lib/image-gen/schema';
import classes from './conversation.module.css';
import { ImageStatusBadge, isServiceDown } from './image-status';
import { RunProgress } from './run-progress';
import { comingImages, ownImages, type Run } from './runs';
import { type VariantActions, VariantGrid } from './variant-grid';
import { VariantImage } from './variant-image';

type RunCardProps = {
  run: Run;
  job: ImageJob;
  usual: number | null;
  actions: VariantActions;
  sourceKey: string | null;
  compareKey: string | null;
  /** The estimated number of images of the current run, and their aspect ratio. */
  expected: { count: number; aspect: number };
  /** Undefined for viewers. */
  onCancel?: () => void;
  /** Undefined for viewers. */
  onRetry?: () => void;
  busy: 'cancel' | 'retry' | null;
};

/** Shows one prompt with its status and images. Memoized, because a conversation can have many prompts. */
export const RunCard = memo(function RunCard({ run, job, usual, actions, expected, ...rest }: RunCardProps) {
  const { sourceKey, compareKey, onCancel, onRetry, busy } = rest;
  const isLatest = run.run === job.run;
  const kept = ownImages(run);
  const keptWords = `${countOf(kept, 'image')} that finished before ${kept === 1 ? 'is' : 'are'} kept.`;
  const coming = isLatest ? comingImages(run, expected.count) : 0;
  const retry = isLatest && onRetry && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      loading={busy === 'retry'}
      onClick={onRetry}
    >
      Try again
    </Button>
  );
  return (
    <Stack component="article" gap="md" className={classes.run} aria-label={`Prompt ${run.ordinal}`}>
      {/* The first prompt is the heading of a job without a name. */}
      {(run.ordinal > 1 || job.name) && <p className={classes.prompt}>{run.prompt}</p>}
      <div className={classes.facts}>
        {run.status === 'succeeded' ? (
          // The images already show success visually, so only screen readers need the badge.
          <VisuallyHidden>
            <ImageStatusBadge status={run.status} />
          </VisuallyHidden>
        ) : (
          <ImageStatusBadge status={run.status} isDown={isLatest && isServiceDown(job)} />
        )}
        {run.source && (
          <span className={classes.source}>
            <VariantImage variant={run.source.variant} alt="" onStale={actions.onStale} />
            <Anchor
              component="button"
              type="button"
              inherit
              onClick={() => run.source && actions.show(run.source)}
            >
              {run.hasMask ? `from a region of ${run.source.label}` : `from ${run.source.label}`}
            </Anchor>
          </span>
        )}
        <RelativeTime iso={run.createdAt} />
        {run.status === 'succeeded' && run.duration !== null && (
          <span>took {formatDuration(run.duration)}</span>
        )}
      </div>
      {isLatest && isUnderWay(run.status) && (
        <RunProgress job={job} usual={usual} onCancel={onCancel} canceling={busy === 'cancel'} />
      )}
      {run.status === 'failed' && (
        <Alert color="red" variant="outline" icon={<IconAlertTriangle size={20} />} title="Generation failed">
          <Group justify="space-between" gap="sm">
            <div>
              <Text size="sm">{run.error ?? (run.isRead ? 'No reason given.' : 'Loading details …')}</Text>
              {kept > 0 && <Text size="sm">{keptWords}</Text>}
            </div>
            {retry}
          </Group>
        </Alert>
      )}
      {run.status === 'canceled' && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed">
            Generation canceled.{kept > 0 && ` ${keptWords}`}
          </Text>
          {retry}
        </Group>
      )}
      {run.status === 'succeeded' && run.notes.length > 0 && (
        <Text component="ul" size="sm" c="dimmed" m={0} pl="md">
          {run.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Text>
      )}
      {(run.variants.length > 0 || coming > 0) && (
        <VariantGrid
          variants={run.variants}
          actions={actions}
          sourceKey={sourceKey}
          compareKey={compareKey}
          expected={{ ...expected, count: coming }}
        />
      )}
    </Stack>
  );
});
