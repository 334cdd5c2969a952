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
  /** Called after the dialog has faded out. */
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
  const parts = [`${countOf(retried, 'spec')} restarted.`];
  if (skipped > 0) parts.push(`${skipped} ${skipped === 1 ? 'was' : 'were'} no longer failed.`);
  if (errors.length > 0) {
    parts.push(
      `${countOf(errors.length, 'spec')} could not be restarted: ${describeError(errors[0]?.error)}`,
    );
  }
  return parts.join(' ');
}

const titles = { asking: 'Try all failed specs again?', running: 'Trying again', done: 'Finished' };

/** Asks for confirmation, then retries every failed spec that matches the filters, on all pages. */
export function RetryFailedDialog({ opened, onClose, onClosed, filters, count }: Props) {
  const [phase, setPhase] = useState<'asking' | 'running' | 'done'>('asking');
  const [progress, setProgress] = useState<RetryProgress | null>(null);
  const [error, setError] = useState<unknown>(null);
  // The count at the time of confirmation. The live count shrinks during the run.
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
      title={titles[phase]}
      closeOnClickOutside={phase !== 'running'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {phase === 'asking' && (
          <Text size="sm">
            {countOf(count, 'failed spec')} {isFiltered(scope) ? 'matching the current filters ' : ''}
            will be processed again.
          </Text>
        )}
        {phase === 'running' && (
          <>
            <Progress.Root size="md">
              <Progress.Section
                value={progress ? (100 * done) / Math.max(1, progress.total) : 0}
                aria-label="Progress"
              />
            </Progress.Root>
            <Text size="sm" role="status">
              {progress?.waiting ? 'Slowing down for a moment …' : `${done} of ${progress?.total ?? asked}`}
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
                Cancel
              </Button>
              <Button onClick={() => void start()} data-autofocus>
                Try again
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
