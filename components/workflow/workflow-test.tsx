'use client';

import { Button, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { StatusPill } from '@/components/feedback/status-pill';
import { formatDuration } from '@/components/format/time';
import type { EventKind } from '@/lib/workflow-events/schema';
import type { WorkflowTestRun } from '@/lib/workflow-events/testing/schema';
import { readTest, startTest } from './testing-calls';
import { stepTitle, stepTone } from './testing-labels';
import classes from './tests.module.css';

const REFRESH_MS = 1_000;

function Steps({ test }: { test: WorkflowTestRun }) {
  const start = Date.parse(test.createdAt);
  return (
    <ol className={classes.steps} aria-label="Steps of the test">
      {test.steps.map((step) => {
        return (
          <li key={`${step.at} ${step.step}`} className={classes.step}>
            <StatusPill tone={stepTone(step)} label={stepTitle(step)} />
            <Text size="sm" c="dimmed">
              after {formatDuration(Date.parse(step.at) - start)}
            </Text>
            {step.detail && (
              <Text size="sm" className={classes.detail}>
                {step.detail}
              </Text>
            )}
          </li>
        );
      })}
      {!test.isOver && (
        <li className={classes.step}>
          <Loader size="xs" aria-hidden="true" />
          <Text size="sm" c="dimmed">
            {test.steps.some(({ step }) => step === 'accepted')
              ? 'Waiting for the callback. A rejected one is listed under Rejected callbacks.'
              : 'Waiting for the workflow service.'}
          </Text>
        </li>
      )}
    </ol>
  );
}

function RunningTest({ id }: { id: string }) {
  const {
    data: test,
    error,
    refetch,
  } = useQuery({
    queryKey: ['workflow-test', id],
    queryFn: ({ signal }) => readTest(id, signal),
    refetchInterval: ({ state }) => (state.data?.isOver ? false : REFRESH_MS),
  });
  const last = test?.steps.at(-1);
  return (
    <>
      {error !== null && (
        <ErrorAlert title="The test could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {!test && error === null && <Loader size="sm" role="status" aria-label="Loading the test" />}
      {test && <Steps test={test} />}
      <Announcer text={last && stepTitle(last)} />
    </>
  );
}

/** Sends a test trigger and shows each step until the test is over. */
export function WorkflowTest({ kind }: { kind: EventKind }) {
  const [id, setId] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setBusy(true);
    setError(null);
    setId(null);
    try {
      setId(await startTest(kind));
    } catch (error) {
      setError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'xl' }} aria-labelledby="test-workflow">
      <Stack gap="md" align="flex-start">
        <div>
          <Title order={2} id="test-workflow">
            Test the workflow
          </Title>
          <Text c="dimmed" mt={4}>
            {kind === 'spec'
              ? 'Sends a trigger with a sample PDF to the workflow service. No spec is created.'
              : 'Sends a trigger with a sample prompt to the workflow service. No image job is created, but the service can generate images.'}
          </Text>
        </div>
        <Button leftSection={<IconSend size={16} />} onClick={() => void start()} loading={busy}>
          Test the workflow
        </Button>
        {error !== null && <ErrorAlert title="The test could not be started" error={error} />}
        {id && <RunningTest key={id} id={id} />}
      </Stack>
    </Paper>
  );
}
