'use client';

import { Button, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPhoto, IconPlus } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import { formatPercent } from '@/components/format/percent';
import { useNow } from '@/components/format/relative-time';
import { formatRelative } from '@/components/format/time';
import { titleOfJob } from '@/hooks/image-gen/job-title';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import { type ImageJob, type ImageStatus, imageStatus, imageStatuses } from '@/lib/image-gen/schema';
import { ImageStatusBadge, imageStatusLabel, isServiceDown } from './image-status';
import classes from './job-list.module.css';
import { commonStatus, isOpenRow, rowsOf, targetOf } from './job-rows';
import { StudioLink } from './studio-link';
import { type StudioUrl, studioHref } from './studio-url';
import { swapTitle } from './swap/swap-title';
import { VariantImage } from './variant-image';

type JobListProps = {
  gen: ImageJobs;
  projectId: string;
  url: StudioUrl;
  canEdit: boolean;
  onGo: (url: StudioUrl) => void;
  onNew: () => void;
};

/** Lists the project's image jobs, newest first, with a status filter. */
export function JobList({ gen, projectId, url, canEdit, onGo, onNew }: JobListProps) {
  const { jobs, isReadingJobs, hasMoreJobs } = gen;
  const setStatus = (status: ImageStatus | null) => onGo({ ...url, status });
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>Images</Title>
        {canEdit && (url.job ?? url.swap) && (
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
          {rowsOf(jobs).map((row) => {
            const target = { ...url, ...targetOf(row) };
            return (
              <li key={target.job ?? target.swap}>
                <StudioLink
                  href={studioHref(projectId, target)}
                  onOpen={() => onGo(target)}
                  className={classes.job}
                  aria-current={isOpenRow(row, url) || undefined}
                >
                  {row.kind === 'job' ? (
                    <JobRow job={row.job} onStale={gen.renewUrls} />
                  ) : (
                    <SwapRow {...row} onStale={gen.renewUrls} />
                  )}
                </StudioLink>
              </li>
            );
          })}
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

type JobRowProps = { job: ImageJob; onStale: () => void };

function JobRow({ job, onStale }: JobRowProps) {
  const now = useNow();
  return (
    <>
      <span className={classes.cover}>
        {job.cover ? (
          <VariantImage variant={job.cover} alt="" onStale={onStale} />
        ) : (
          <IconPhoto size={22} stroke={1.3} aria-hidden="true" />
        )}
      </span>
      <span>
        <span className={classes.prompt}>{titleOfJob(job)}</span>
        <span className={classes.facts}>
          <ImageStatusBadge status={job.status} isDown={isServiceDown(job)} />
          {job.progress !== null && `${formatPercent(job.progress)} · `}
          {now !== null && formatRelative(job.createdAt, now, 'narrow')}
        </span>
      </span>
    </>
  );
}

type SwapRowProps = { where: string; jobs: ImageJob[]; onStale: () => void };

/** Shows the listed jobs of a material swap as one row, with up to four of their images. */
function SwapRow({ where, jobs, onStale }: SwapRowProps) {
  const now = useNow();
  const covers = jobs.flatMap(({ cover }) => cover ?? []).slice(0, 4);
  const [newest] = jobs;
  return (
    <>
      <span className={classes.cover} data-many={covers.length > 1 || undefined}>
        {covers.map((cover) => (
          <VariantImage key={cover.id} variant={cover} alt="" onStale={onStale} />
        ))}
        {covers.length === 0 && <IconPhoto size={22} stroke={1.3} aria-hidden="true" />}
      </span>
      <span>
        <span className={classes.prompt}>{swapTitle(where)}</span>
        <span className={classes.facts}>
          <ImageStatusBadge
            status={commonStatus(jobs)}
            isDown={commonStatus(jobs) === 'queued' && jobs.some(isServiceDown)}
          />
          {countOf(jobs.length, 'material')} ·{' '}
          {now !== null && newest && formatRelative(newest.createdAt, now, 'narrow')}
        </span>
      </span>
    </>
  );
}
