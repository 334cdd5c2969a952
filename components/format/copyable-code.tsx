import { ActionIcon, Code, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copyable-code.module.css';

/** Shows an id, hash or command with a button that copies it. `label` is the accessible name of the button. */
export function CopyableCode({ value, label }: { value: string; label: string }) {
  return (
    <span className={classes.copyable}>
      <Code className={classes.code}>{value}</Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={label}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
            <span role="status" className={classes.copied}>
              {copied ? 'Copied' : ''}
            </span>
          </>
        )}
      </CopyButton>
    </span>
  );
}
