'use client';

import { Button, Group, Image, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { runsOf } from '@/components/studio/runs';
import { readConversation, readJobsPage } from '@/hooks/image-gen/image-gen-calls';
import { titleOfJob } from '@/hooks/image-gen/job-title';
import { usePages } from '@/hooks/use-pages';
import { imageKey } from '@/lib/document/page-model';
import type { ImageJob } from '@/lib/image-gen/schema';
import { type ImagePick, pickOfVariant } from './image-pick';
import { PickGrid } from './pick-grid';

const JOBS = 12;

type StudioTabProps = {
  projectId: string;
  picks: readonly ImagePick[];
  onToggle: (pick: ImagePick) => void;
};

/** Lists the images generated in the project's studio, grouped by job, newest job first. */
export function StudioTab({ projectId, picks, onToggle }: StudioTabProps) {
  const list = usePages({
    queryKey: ['studio-images', projectId],
    read: async (cursor, signal) => {
      const { jobs, nextCursor } = await readJobsPage({ projectId, status: null }, JOBS, cursor, signal);
      return { items: jobs, nextCursor };
    },
  });
  const jobs = list.items?.filter(({ cover }) => cover !== null) ?? [];
  return (
    <Stack gap="lg">
      {list.error !== null && (
        <ErrorAlert
          title="The images could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null && list.error === null && <Skeleton h={120} role="status" aria-label="Loading" />}
      {list.items !== null && jobs.length === 0 && !list.hasMore && (
        <Text c="dimmed">No images in the studio yet.</Text>
      )}
      {jobs.map((job) => (
        <JobImages key={job.jobId} job={job} picks={picks} onToggle={onToggle} />
      ))}
      {list.hasMore && (
        <Group justify="center">
          <Button variant="default" size="xs" loading={list.loading} onClick={() => void list.loadMore()}>
            Show older images
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type JobImagesProps = {
  job: ImageJob;
  picks: readonly ImagePick[];
  onToggle: (pick: ImagePick) => void;
};

/** Shows a job's cover image or, after a click on “Show all”, all images of the job. */
function JobImages({ job, picks, onToggle }: JobImagesProps) {
  const [isExpanded, setExpanded] = useState(false);
  const all = useQuery({
    queryKey: ['job-images', job.jobId],
    queryFn: ({ signal }) => readConversation(job.jobId, Number.POSITIVE_INFINITY, signal),
    select: ({ messages, variants }) =>
      runsOf(job, messages, variants).flatMap((run) =>
        run.variants.map(({ variant, prompt, label }) => pickOfVariant(variant, prompt, `Image ${label}`)),
      ),
    enabled: isExpanded,
  });
  const cover = job.cover ? [pickOfVariant(job.cover, job.prompt, 'Cover')] : [];

  return (
    <Stack component="section" gap="xs" aria-label={titleOfJob(job)}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={2}>
          {titleOfJob(job)}
        </Text>
        {!all.data && (
          <Button
            size="compact-sm"
            variant="subtle"
            loading={all.isFetching}
            onClick={() => (isExpanded ? void all.refetch() : setExpanded(true))}
          >
            Show all
          </Button>
        )}
      </Group>
      {all.error !== null && (
        <ErrorAlert
          title="The images could not be loaded"
          error={all.error}
          onRetry={() => void all.refetch()}
        />
      )}
      <PickGrid
        label={`Images for: ${titleOfJob(job)}`}
        items={all.data ?? cover}
        keyOf={({ path }) => path ?? ''}
        nameOf={({ label }) => label}
        picture={({ thumbUrl }) => <Image src={thumbUrl} alt="" loading="lazy" decoding="async" radius={0} />}
        isPicked={(pick) => picks.some((other) => imageKey(other) === imageKey(pick))}
        onToggle={onToggle}
      />
    </Stack>
  );
}
