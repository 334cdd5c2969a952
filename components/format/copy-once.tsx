'use client';

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { focusOnMount } from '@/components/shell/focus-on-mount';
import classes from './copy-once.module.css';

/** How long "Copied" is shown, in milliseconds. In practice, it stays visible until the dialog closes. */
const COPIED_MS = 3_600_000;

type CopyOnceProps = {
  /** What the value is called within a sentence, such as `token`. */
  noun: string;
  value: string;
  notice: string;
  /** Shown below the value. */
  children?: ReactNode;
  onDone: () => void;
};

/** Shows a new secret value in a dialog, with a button that copies it. The value cannot be shown again. */
export function CopyOnce({ noun, value, notice, children, onDone }: CopyOnceProps) {
  const { copy, copied, error } = useClipboard({ timeout: COPIED_MS });
  return (
    <Stack gap="md">
      <Alert
        // The button that had the focus is gone. Focus the alert, not one of the buttons below. An accidental second
        // press of Enter would activate a focused button, and "Done" hides the value.
        ref={focusOnMount}
        tabIndex={-1}
        color="yellow"
        variant="outline"
        icon={<IconAlertTriangle size={20} />}
        title={`Copy the ${noun} now`}
        role="alert"
      >
        {notice}
      </Alert>
      <Code block className={classes.value}>
        {value}
      </Code>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(value)}
        >
          {`Copy ${noun}`}
        </Button>
        <Text size="sm" role="status">
          {error ? `Couldn't copy. Select the ${noun} and copy it yourself.` : copied ? 'Copied' : ''}
        </Text>
      </Group>
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
