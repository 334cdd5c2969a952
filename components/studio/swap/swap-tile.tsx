'use client';

import { Button, Progress, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { toPercent } from '@/components/format/percent';
import { Thumbnail } from '@/components/materials/thumbnail';
import { isUnderWay } from '@/hooks/image-gen/image-gen-state';
import type { ImageJob } from '@/lib/image-gen/schema';
import { ImageStatusBadge, isServiceDown } from '../image-status';
import { VariantImage } from '../variant-image';
import classes from './swap.module.css';
import { materialOfJob } from './swap-content';

type SwapTileProps = {
  job: ImageJob;
  /** Expected aspect ratio of the image. */
  aspect: number;
  onOpen: () => void;
  /** Undefined for viewers. */
  onRetry?: () => void;
  isRetrying: boolean;
  onStale: () => void;
};

/** Shows one job of a swap: its image, the material's swatch and name, and the job's status until the job succeeds. */
export function SwapTile({ job, aspect, onOpen, onRetry, isRetrying, onStale }: SwapTileProps) {
  const { status, cover, error, progress } = job;
  const { name, imageUrl } = materialOfJob(job);
  const canRetry = onRetry && (status === 'failed' || status === 'canceled');
  return (
    <li>
      <UnstyledButton className={classes.open} aria-label={`Open the image with ${name}`} onClick={onOpen}>
        {cover ? (
          <VariantImage fluid variant={cover} alt="" onStale={onStale} />
        ) : (
          <span
            className={classes.place}
            data-coming={isUnderWay(status) || undefined}
            style={{ aspectRatio: aspect }}
          >
            {status === 'succeeded' && 'The image was deleted.'}
          </span>
        )}
      </UnstyledButton>
      <div className={classes.caption}>
        {imageUrl && <Thumbnail src={imageUrl} className={classes.swatch} />}
        <span className={classes.name} title={name}>
          {name}
        </span>
        {status === 'succeeded' ? (
          // The image already shows success visually, so only screen readers need the badge.
          <VisuallyHidden>
            <ImageStatusBadge status={status} />
          </VisuallyHidden>
        ) : (
          <ImageStatusBadge status={status} isDown={isServiceDown(job)} />
        )}
      </div>
      {progress !== null && (
        <Progress value={toPercent(progress)} aria-label={`Generating the image with ${name}`} mt={6} />
      )}
      {status === 'failed' && (
        <Text size="sm" c="dimmed" mt={4} className={classes.reason}>
          {error ?? 'No reason given.'}
        </Text>
      )}
      {canRetry && (
        <Button
          size="xs"
          mt={6}
          variant="default"
          leftSection={<IconRefresh size={14} />}
          aria-label={`Try again with ${name}`}
          loading={isRetrying}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </li>
  );
}
