'use client';

import { Button, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPhoto, IconPlus } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { formatPercent } from '@/components/format/percent';
import { useNow } from '@/components/format/relative-time';
import { formatRelative } from '@/components/format/time';
import type { ImageGen } from '@/hooks/use-image-gen';
import { type ImageJob, type ImageStatus, imageStatus, imageStatuses } from '@/lib/image-gen/schema';
import { ImageStatusBadge, imageStatusLabel } from './image-status';
import classes from './job-list.module.css';
import { type StudioUrl, studioHref } from './studio-url';
import { VariantImage } from './variant-image';

type JobListProps = {
  gen: ImageGen;
  projectId: string;
  url: StudioUrl;
  canEdit: boolean;
  onGo: (url: StudioUrl) => void;
  onNew: () => void;
};

/** The project's image jobs, newest first, with a status filter. */
export function JobList({ gen, projectId, url, canEdit, onGo, onNew }: JobListProps) {
  const { jobs, isReadingJobs, hasMoreJobs } = gen;
  const setStatus = (status: ImageStatus | null) => onGo({ ...url, status });
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>Images</Title>
        {canEdit && url.job && (
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onNew}>
            New
          </Button>
        )}
      </Group>
      <NativeSelect
        aria-label="Filter by status"
        size="sm"
        value={url.status ?? ''}
        onChange={(event) => setStatus(imageStatus.safeParse(event.currentTarget.value).data ?? null)}
        data={[
          { value: '', label: 'All' },
          ...imageStatuses.map((status) => ({ value: status, label: imageStatusLabel(status) })),
        ]}
      />
      {jobs.length > 0 ? (
        <ul
          className={classes.list}
          aria-label="Project images"
          aria-busy={isReadingJobs}
          data-stale={isReadingJobs}
        >
          {jobs.map((job) => (
            <li key={job.jobId}>
              <JobRow
                job={job}
                current={job.jobId === url.job}
                href={studioHref(projectId, { ...url, job: job.jobId })}
                onOpen={() => onGo({ ...url, job: job.jobId })}
                onStale={gen.renewUrls}
              />
            </li>
          ))}
        </ul>
      ) : isReadingJobs ? (
        <Skeleton h={72} role="status" aria-label="Loading" />
      ) : (
        <Text size="sm" c="dimmed">
          {url.status ? 'No images have this status.' : 'No images yet.'}
        </Text>
      )}
      {url.status && jobs.length === 0 && !isReadingJobs && (
        <Button variant="default" size="xs" onClick={() => setStatus(null)}>
          Show all
        </Button>
      )}
      {hasMoreJobs && (
        <Button variant="default" size="xs" onClick={() => void gen.fetchMoreJobs()}>
          Show more
        </Button>
      )}
    </Stack>
  );
}

type JobRowProps = {
  job: ImageJob;
  current: boolean;
  href: string;
  onOpen: () => void;
  onStale: () => void;
};

function JobRow({ job, current, href, onOpen, onStale }: JobRowProps) {
  const now = useNow();
  const open = (event: MouseEvent) => {
    // Let the browser open a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={href} onClick={open} className={classes.job} aria-current={current || undefined}>
      <span className={classes.cover}>
        {job.cover ? (
          <VariantImage variant={job.cover} alt="" onStale={onStale} />
        ) : (
          <IconPhoto size={22} stroke={1.3} aria-hidden="true" />
        )}
      </span>
      <span>
        <span className={classes.prompt}>{job.prompt}</span>
        <span className={classes.facts}>
          <ImageStatusBadge status={job.status} />
          {job.progress !== null && `${formatPercent(job.progress)} · `}
          {now !== null && formatRelative(job.createdAt, now)}
        </span>
      </span>
    </a>
  );
}
