'use client';

import { Button, Group, Image, Skeleton, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { runsOf } from '@/components/studio/runs';
import { readConversation, readJobsPage } from '@/hooks/image-gen/image-gen-calls';
import { imageKey } from '@/lib/document/page-model';
import type { ImageJob } from '@/lib/image-gen/schema';
import { type ImagePick, pickOfVariant } from './image-pick';
import { PickGrid } from './pick-grid';

const JOBS = 12;

type Page = { jobs: ImageJob[]; nextCursor: string | null };
type StudioTabProps = {
  projectId: string;
  picks: readonly ImagePick[];
  onToggle: (pick: ImagePick) => void;
};

/** The images generated in the project's studio, grouped by job, newest first. */
export function StudioTab({ projectId, picks, onToggle }: StudioTabProps) {
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [reading, setReading] = useState(false);

  const read = useCallback(
    async (after: Page | null) => {
      setReading(true);
      try {
        const query = { projectId, status: null };
        const next = await readJobsPage(query, JOBS, after?.nextCursor ?? null);
        setPage({ ...next, jobs: [...(after?.jobs ?? []), ...next.jobs] });
        setError(null);
      } catch (error) {
        setError(error);
      } finally {
        setReading(false);
      }
    },
    [projectId],
  );
  useEffect(() => void read(null), [read]);

  const jobs = page?.jobs.filter(({ cover }) => cover !== null) ?? [];
  return (
    <Stack gap="lg">
      {error !== null && (
        <ErrorAlert title="The images could not be loaded" error={error} onRetry={() => void read(page)} />
      )}
      {page === null && error === null && <Skeleton h={120} role="status" aria-label="Loading" />}
      {page !== null && jobs.length === 0 && !page.nextCursor && (
        <Text c="dimmed">No images in the studio yet.</Text>
      )}
      {jobs.map((job) => (
        <JobImages key={job.jobId} job={job} picks={picks} onToggle={onToggle} />
      ))}
      {page?.nextCursor && (
        <Group justify="center">
          <Button variant="default" size="xs" loading={reading} onClick={() => void read(page)}>
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

/** One job: its cover, and all its images on demand. */
function JobImages({ job, picks, onToggle }: JobImagesProps) {
  const [all, setAll] = useState<ImagePick[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [reading, setReading] = useState(false);
  const cover = job.cover ? [pickOfVariant(job.cover, job.prompt, 'Cover')] : [];

  const readAll = async () => {
    setReading(true);
    setError(null);
    try {
      const { messages, variants } = await readConversation(job.jobId, Number.POSITIVE_INFINITY);
      const runs = runsOf(job, messages, variants);
      setAll(
        runs.flatMap((run) =>
          run.variants.map(({ variant, prompt, label }) => pickOfVariant(variant, prompt, `Image ${label}`)),
        ),
      );
    } catch (error) {
      setError(error);
    } finally {
      setReading(false);
    }
  };

  return (
    <Stack component="section" gap="xs" aria-label={job.prompt}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={2}>
          {job.prompt}
        </Text>
        {all === null && (
          <Button size="compact-sm" variant="subtle" loading={reading} onClick={() => void readAll()}>
            Show all
          </Button>
        )}
      </Group>
      {error !== null && (
        <ErrorAlert title="The images could not be loaded" error={error} onRetry={() => void readAll()} />
      )}
      <PickGrid
        label={`Images for: ${job.prompt}`}
        items={all ?? cover}
        keyOf={({ path }) => path ?? ''}
        nameOf={({ label }) => label}
        picture={({ thumbUrl }) => <Image src={thumbUrl} alt="" loading="lazy" decoding="async" radius={0} />}
        isPicked={(pick) => picks.some((other) => imageKey(other) === imageKey(pick))}
        onToggle={onToggle}
      />
    </Stack>
  );
}
