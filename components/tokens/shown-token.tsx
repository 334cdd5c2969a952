'use client';

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { CreatedToken } from '@/lib/tokens/schema';
import classes from './token-list.module.css';

/** Long enough to stay until the dialog is closed. */
const COPIED_MS = 3_600_000;

/** Shows a new token, the only time that it can be seen, with an example of its use. */
export function ShownToken({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone. Not the button here: pressing Enter twice would hide the token.
  useEffect(() => notice.current?.focus(), []);
  const { copy, copied, error } = useClipboard({ timeout: COPIED_MS });
  return (
    <Stack gap="md">
      <Alert
        ref={notice}
        tabIndex={-1}
        color="yellow"
        variant="outline"
        icon={<IconAlertTriangle size={20} />}
        title="Copy the token now"
        role="alert"
      >
        It is not shown again. Keep it like a password.
      </Alert>
      <Code block className={classes.example}>
        {created.token}
      </Code>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(created.token)}
        >
          Copy token
        </Button>
        <Text size="sm" role="status">
          {error ? 'Your browser refused. Select the token and copy it.' : copied ? 'Copied' : ''}
        </Text>
      </Group>
      <div>
        <Text size="sm" mb={4}>
          Example:
        </Text>
        <Code block className={classes.example}>
          {`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/projects`}
        </Code>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
