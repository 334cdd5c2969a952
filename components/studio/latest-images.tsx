'use client';

import { Text, Title } from '@mantine/core';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import classes from './latest-images.module.css';
import { StudioLink } from './studio-link';
import { type StudioUrl, studioHref } from './studio-url';
import { VariantImage } from './variant-image';

type LatestImagesProps = {
  gen: ImageJobs;
  projectId: string;
  url: StudioUrl;
  canEdit: boolean;
  onGo: (url: StudioUrl) => void;
};

/**
 * Shows the cover images of the listed jobs. If no job has a cover, shows a hint to editors instead. Rendered while no
 * job or swap is open.
 */
export function LatestImages({ gen, projectId, url, canEdit, onGo }: LatestImagesProps) {
  const jobs = gen.jobs.filter(({ cover }) => cover !== null);
  if (jobs.length === 0) {
    return (
      canEdit && (
        <div className={classes.empty}>
          <Title order={2}>New image</Title>
          <Text c="dimmed">Describe it below, or drop an image to start from.</Text>
        </div>
      )
    );
  }
  return (
    <ul className={classes.grid} aria-label="Latest images">
      {jobs.map(({ jobId, prompt, cover }) => {
        const target = { ...url, job: jobId, swap: null };
        return (
          <li key={jobId}>
            <StudioLink
              href={studioHref(projectId, target)}
              onOpen={() => onGo(target)}
              className={classes.link}
              aria-label={prompt}
            >
              {cover && <VariantImage fluid variant={cover} alt="" onStale={gen.renewUrls} />}
            </StudioLink>
          </li>
        );
      })}
    </ul>
  );
}
