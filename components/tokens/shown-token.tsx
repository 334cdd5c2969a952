'use client';

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { CopyableCode } from '@/components/format/copyable-code';
import type { CreatedToken } from '@/lib/tokens/schema';
import classes from './token-list.module.css';

/** Shows a new token, the only time that it can be seen, with an example of its use. */
export function ShownToken({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone. Not the button here: pressing Enter twice would hide the token.
  useEffect(() => notice.current?.focus(), []);
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
      <CopyableCode value={created.token} label="Copy the token" />
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
