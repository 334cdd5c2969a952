'use client';

import { Button, Code, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowDownLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { StatusPill } from '@/components/feedback/status-pill';
import { CopyableCode } from '@/components/format/copyable-code';
import type { EventKind } from '@/lib/workflow-events/schema';
import type { CallbackTested } from '@/lib/workflow-events/testing/schema';
import { testCallback } from './testing-calls';
import { readable } from './testing-labels';

function Result({ tested }: { tested: CallbackTested }) {
  const label = tested.status === null ? 'No response' : `HTTP ${tested.status}`;
  return (
    <>
      <StatusPill tone={tested.status === 200 ? 'good' : 'bad'} label={label} />
      <Code block maw="100%" style={{ whiteSpace: 'pre-wrap' }}>
        {readable(tested.response)}
      </Code>
      <Text size="sm">To send the same callback from your service, within an hour:</Text>
      <CopyableCode value={tested.command} label="Copy the command" />
    </>
  );
}

/** Sends a sample callback with the correct secret and shows the response. */
export function CallbackTest({ kind }: { kind: EventKind }) {
  const [tested, setTested] = useState<CallbackTested | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    setBusy(true);
    setError(null);
    setTested(null);
    try {
      setTested(await testCallback(kind));
    } catch (error) {
      setError(error);
    } finally {
      setBusy(false);
    }
  };
  const announcement =
    tested?.status === 200 ? 'The callback was accepted.' : 'The callback was not accepted.';
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'xl' }} aria-labelledby="test-callback">
      <Stack gap="md" align="flex-start">
        <div>
          <Title order={2} id="test-callback">
            Test the callback
          </Title>
          <Text c="dimmed" mt={4}>
            Sends a sample callback with the correct secret to Atelier's own callback URL. It changes nothing.
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<IconArrowDownLeft size={16} />}
          onClick={() => void send()}
          loading={busy}
        >
          Test the callback
        </Button>
        {error !== null && <ErrorAlert title="The callback could not be tested" error={error} />}
        {tested && <Result tested={tested} />}
        <Announcer text={tested ? announcement : undefined} />
      </Stack>
    </Paper>
  );
}
