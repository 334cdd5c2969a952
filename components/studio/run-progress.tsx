'use client';

import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatDuration } from '@/components/format/time';
import type { ImageJob } from '@/lib/image-gen/schema';
import classes from './conversation.module.css';

/** The current time in ms since the epoch, updated every second; null on the server, whose clock may differ. */
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

/** Progress of an unfinished run: elapsed time and usual duration. */
export function RunProgress({ job, usual, onCancel, canceling }: RunProgressProps) {
  const now = useSeconds();
  const since = Date.parse(job.startedAt ?? job.updatedAt);
  // The clocks of server and browser may differ slightly.
  const elapsed = now === null ? null : Math.max(0, now - since);
  const share = usual && elapsed !== null ? Math.min(95, (elapsed / usual) * 100) : 95;
  return (
    <div className={classes.progress}>
      <Progress
        value={share}
        striped
        animated
        aria-label={job.status === 'queued' ? 'Waiting for the workflow service' : 'Generating images'}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {job.status === 'queued' ? 'Queued' : 'Processing'}
          {elapsed !== null && ` for ${wholeSeconds(elapsed)}`}
          {usual !== null && ` · usually ${formatDuration(usual)}`}
        </Text>
        {onCancel && (
          <Button size="xs" variant="default" loading={canceling} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </div>
  );
}
