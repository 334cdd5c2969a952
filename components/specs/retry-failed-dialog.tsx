'use client';

import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import { type RetryProgress, retryAllFailed } from './retry-failed';
import { failedIds, retrySpec } from './spec-calls';
import { isFiltered, type SpecFilters } from './spec-filters';

type Props = {
  opened: boolean;
  onClose: () => void;
  /** After it has left the screen. */
  onClosed: () => void;
  filters: SpecFilters;
  count: number;
};

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function outcome({ retried, skipped, errors }: RetryProgress): string {
  const parts = [`${countOf(retried, 'spec')} sent again.`];
  if (skipped > 0) parts.push(`${skipped} had moved on by then.`);
  if (errors.length > 0) {
    parts.push(`${countOf(errors.length, 'spec')} could not be retried: ${describeError(errors[0]?.error)}`);
  }
  return parts.join(' ');
}

/** Asks, then retries every failed spec under the filters, however many pages there are. */
export function RetryFailedDialog({ opened, onClose, onClosed, filters, count }: Props) {
  const [phase, setPhase] = useState<'asking' | 'running' | 'done'>('asking');
  const [progress, setProgress] = useState<RetryProgress | null>(null);
  const [error, setError] = useState<unknown>(null);
  // The number that was confirmed; the live one shrinks while they are retried.
  const [asked, setAsked] = useState(count);
  const run = useRef<AbortController | null>(null);
  const scope = { ...filters, status: undefined };

  const start = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    run.current = controller;
    setAsked(count);
    setPhase('running');
    setError(null);
    try {
      const api = {
        listFailed: (cursor: string | null) => failedIds(filters, cursor, signal),
        retry: (id: string) => retrySpec(id, signal),
        wait: (ms: number) => wait(ms, signal),
      };
      setProgress(await retryAllFailed(api, setProgress, signal));
    } catch (error) {
      if (!signal.aborted) setError(error);
    } finally {
      setPhase('done');
    }
  };

  const close = () => {
    run.current?.abort();
    onClose();
  };
  const reset = () => {
    setPhase('asking');
    setProgress(null);
    setError(null);
    onClosed();
  };
  const done = progress ? progress.retried + progress.skipped + progress.errors.length : 0;

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={reset}
      title={phase === 'done' ? 'Retried' : 'Retry all failed?'}
      closeOnClickOutside={phase !== 'running'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {phase === 'asking' && (
          <Text size="sm">
            {countOf(count, 'failed spec')} {isFiltered(scope) ? 'under the chosen filters ' : ''}
            {count === 1 ? 'is' : 'are'} sent to the workflow service again.
          </Text>
        )}
        {phase === 'running' && (
          <>
            <Progress.Root size="md">
              <Progress.Section
                value={progress ? (100 * done) / Math.max(1, progress.total) : 0}
                aria-label="Retried so far"
              />
            </Progress.Root>
            <Text size="sm" role="status">
              {progress?.waiting
                ? 'The server asks for a slower pace. Going on in a moment.'
                : `${done} of ${progress?.total ?? asked}`}
            </Text>
          </>
        )}
        {phase === 'done' && (
          <Text size="sm" role="status">
            {error === null ? progress && outcome(progress) : describeError(error)}
          </Text>
        )}
        <Group justify="flex-end">
          {phase === 'asking' && (
            <>
              <Button variant="default" onClick={close}>
                Not now
              </Button>
              <Button onClick={() => void start()} data-autofocus>
                Retry {countOf(count, 'spec')}
              </Button>
            </>
          )}
          {phase === 'running' && (
            <Button variant="default" onClick={() => run.current?.abort()}>
              Stop
            </Button>
          )}
          {phase === 'done' && <Button onClick={close}>Close</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}
