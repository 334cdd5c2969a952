'use client';

import { Paper, Text, Title } from '@mantine/core';
import { RelativeTime, useNow } from '@/components/format/relative-time';
import { formatDuration } from '@/components/format/time';
import type { Spec } from '@/lib/specs/schema';
import classes from './spec-detail.module.css';
import { StatusBadge } from './status-badge';

type Attempt = Spec['attempts'][number];

function AttemptDuration({ attempt }: { attempt: Attempt }) {
  const now = useNow();
  if (attempt.finishedAt) {
    return <>{formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.createdAt))}</>;
  }
  return now === null ? (
    <>in progress</>
  ) : (
    <>in progress for {formatDuration(now - Date.parse(attempt.createdAt))}</>
  );
}

/** Lists the attempts to process a spec, newest first. */
export function SpecAttempts({ attempts }: { attempts: Attempt[] }) {
  const latestFirst = attempts.toSorted((a, b) => b.attempt - a.attempt);
  return (
    <section aria-labelledby="attempts-title">
      <Title order={2} id="attempts-title" mb="md">
        Attempts
      </Title>
      <Paper withBorder>
        <ol className={classes.attempts}>
          {latestFirst.map((attempt) => (
            <li key={attempt.attempt} className={classes.attempt}>
              <span className={classes.ordinal}>Attempt {attempt.attempt}</span>
              <StatusBadge status={attempt.status} />
              <Text component="span" size="sm" c="dimmed" className={classes.timing}>
                Started <RelativeTime iso={attempt.createdAt} /> · <AttemptDuration attempt={attempt} />
              </Text>
              {attempt.error && (
                <Text size="sm" className={classes.reason}>
                  {attempt.error}
                </Text>
              )}
            </li>
          ))}
        </ol>
      </Paper>
    </section>
  );
}
