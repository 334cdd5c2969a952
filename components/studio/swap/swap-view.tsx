'use client';

import { Anchor, Button, Group, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconArrowLeft, IconFilePlus } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { MessagePage } from '@/components/feedback/message-page';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import { focusOnMount } from '@/components/shell/focus-on-mount';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import type { ImageJob } from '@/lib/image-gen/schema';
import studio from '../studio.module.css';
import { VariantImage } from '../variant-image';
import classes from './swap.module.css';
import { jobsWithImage } from './swap-content';
import { SwapTile } from './swap-tile';
import { swapTitle } from './swap-title';
import { useAddSwap } from './use-add-swap';
import { useSwap } from './use-swap';

type SwapViewProps = {
  gen: ImageJobs;
  swapId: string;
  canEdit: boolean;
  /** Whether the swap was opened on this page rather than through its URL. */
  takeFocus: boolean;
  onClose: () => void;
  onOpenJob: (jobId: string) => void;
};

/** Shows a material swap: the original image and an image for each material. */
export function SwapView({ gen, swapId, canEdit, takeFocus, onClose, onOpenJob }: SwapViewProps) {
  const { projectId, retryJob } = gen;
  const { swap, error, isMissing, refresh, onStale } = useSwap(projectId, swapId);
  const { add, busy } = useAddSwap(projectId);
  const [retrying, setRetrying] = useState<string | null>(null);

  const retry = async ({ jobId }: ImageJob) => {
    setRetrying(jobId);
    try {
      await retryJob(jobId);
      await refresh();
    } catch (error) {
      showError('The image could not be tried again', error);
    } finally {
      setRetrying((current) => (current === jobId ? null : current));
    }
  };

  const back = (
    <Anchor component="button" type="button" size="sm" className={studio.back} onClick={onClose}>
      <IconArrowLeft size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> All images
    </Anchor>
  );
  if (isMissing) {
    return (
      <MessagePage title="Swap not found" text="The link may be wrong, or the project was deleted.">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </MessagePage>
    );
  }
  if (!swap) {
    return (
      <Stack gap="md" aria-busy={error === null}>
        {back}
        {error === null ? (
          <>
            <Skeleton h={28} w="60%" role="status" aria-label="Loading" />
            <Skeleton h={320} />
          </>
        ) : (
          <ErrorAlert title="The swap could not be loaded" error={error} onRetry={() => void refresh()} />
        )}
      </Stack>
    );
  }
  const { source, sourceJobId, jobs } = swap;
  const shape = source ?? jobsWithImage(swap)[0]?.cover;
  const aspect = shape ? shape.width / shape.height : 1;
  return (
    <Stack gap="lg">
      {back}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title
            order={2}
            ref={takeFocus ? focusOnMount : undefined}
            tabIndex={-1}
            className={classes.heading}
          >
            {swapTitle(swap.where)}
          </Title>
          <Text size="sm" c="dimmed">
            {countOf(jobs.length, 'material')} · seed {swap.seed} · <RelativeTime iso={swap.createdAt} />
          </Text>
        </div>
        {canEdit && (
          <Button
            size="sm"
            leftSection={<IconFilePlus size={16} stroke={1.6} />}
            disabled={jobsWithImage(swap).length === 0}
            loading={busy}
            onClick={() => void add(swap)}
          >
            Add to document
          </Button>
        )}
      </Group>
      {error !== null && (
        <ErrorAlert title="The swap could not be loaded" error={error} onRetry={() => void refresh()} />
      )}
      <ul className={classes.grid} aria-label="Images" data-even={jobs.length === 1 || jobs.length === 3}>
        <li>
          {source ? (
            <UnstyledButton
              className={classes.open}
              aria-label="Open the original image"
              onClick={() => sourceJobId && onOpenJob(sourceJobId)}
            >
              <VariantImage fluid variant={source} alt="" onStale={onStale} />
            </UnstyledButton>
          ) : (
            <div className={classes.place} style={{ aspectRatio: aspect }}>
              The original image was deleted.
            </div>
          )}
          <p className={classes.caption}>Original</p>
        </li>
        {jobs.map((job) => (
          <SwapTile
            key={job.jobId}
            job={job}
            aspect={aspect}
            onOpen={() => onOpenJob(job.jobId)}
            onRetry={canEdit ? () => void retry(job) : undefined}
            isRetrying={retrying === job.jobId}
            onStale={onStale}
          />
        ))}
      </ul>
    </Stack>
  );
}
