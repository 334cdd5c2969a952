'use client';

import { Text } from '@mantine/core';
import { formatPercent } from '@/components/format/percent';
import { useNow } from '@/components/format/relative-time';
import { formatTimeLeft, timeLeft } from '@/components/format/time-left';
import type { Spec } from '@/lib/specs/schema';
import classes from './spec-progress.module.css';

/**
 * Shows the progress and note of a spec's current run. Renders nothing if there is neither, or if the run has ended,
 * because `note` is outdated until the spec is read again.
 */
export function SpecProgress({ spec }: { spec: Spec }) {
  const now = useNow();
  const { status, progress, note } = spec;
  const isUnderWay = status === 'pending' || status === 'processing';
  if (!isUnderWay || (progress === null && note === null)) return null;
  const left = now === null ? null : timeLeft(spec, now);
  return (
    <div className={classes.progress}>
      {progress !== null && (
        <>
          <progress value={progress} aria-label={`Progress of ${spec.fileName}`} />
          <Text size="sm" c="dimmed">
            {formatPercent(progress)}
            {left !== null && ` · ${formatTimeLeft(left)}`}
          </Text>
        </>
      )}
      {note && (
        <Text size="sm" c="dimmed" className={classes.note}>
          {note}
        </Text>
      )}
    </div>
  );
}
