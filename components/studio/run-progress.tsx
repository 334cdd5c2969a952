'use client';

import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatPercent, toPercent } from '@/components/format/percent';
import { formatDuration } from '@/components/format/time';
import { formatTimeLeft, timeLeft } from '@/components/format/time-left';
import { TryingAgain } from '@/components/format/trying-again';
import type { ImageJob } from '@/lib/image-gen/schema';
import classes from './conversation.module.css';
import { isServiceDown } from './image-status';

/**
 * Returns the time in ms since the epoch, updated every second. Null until the component has mounted, because the
 * server's clock may differ from the browser's.
 */
function useSeconds(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function wholeSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

type RunProgressProps = {
  job: ImageJob;
  /** Usual duration in ms; null if unknown. */
  usual: number | null;
  onCancel?: () => void;
  canceling: boolean;
};

/**
 * Shows the progress of an unfinished run. The bar appears when processing starts. It is indeterminate until the
 * workflow service reports a value.
 */
export function RunProgress({ job, usual, onCancel, canceling }: RunProgressProps) {
  const now = useSeconds();
  const since = Date.parse(job.startedAt ?? job.updatedAt);
  // Without `Math.max`, a browser clock behind the server's could make the elapsed time negative.
  const elapsed = now === null ? null : Math.max(0, now - since);
  const left = now === null ? null : timeLeft(job, now);
  const isDown = isServiceDown(job);
  const state = isDown ? 'Waiting' : job.status === 'queued' ? 'Queued' : 'Processing';
  const facts = [
    job.progress !== null && formatPercent(job.progress),
    `${state}${elapsed === null ? '' : ` for ${wholeSeconds(elapsed)}`}`,
    left !== null && formatTimeLeft(left),
    job.progress === null && usual !== null && !isDown && `usually ${formatDuration(usual)}`,
  ].filter((fact) => fact !== false);
  return (
    <div className={classes.progress}>
      {job.status === 'running' &&
        (job.progress === null ? (
          <div role="progressbar" aria-label="Generating images" className={classes.wait} />
        ) : (
          <Progress value={toPercent(job.progress)} aria-label="Generating images" />
        ))}
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div className={classes.report}>
          {job.note && <Text size="sm">{job.note}</Text>}
          {isDown && job.retrying && (
            <Text size="sm">
              The image service is not responding. <TryingAgain retrying={job.retrying} />.
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        </div>
        {onCancel && (
          <Button size="xs" variant="default" flex="none" loading={canceling} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </div>
  );
}
