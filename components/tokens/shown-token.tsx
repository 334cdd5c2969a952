'use client';

import { Code, Text } from '@mantine/core';
import { CopyOnce } from '@/components/format/copy-once';
import type { CreatedToken } from '@/lib/tokens/schema';
import classes from './token-list.module.css';

/** Shows a new token with an example of its use. The token cannot be shown again. */
export function ShownToken({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  return (
    <CopyOnce
      noun="token"
      value={created.token}
      notice="It is not shown again. Keep it like a password."
      onDone={onDone}
    >
      <div>
        <Text size="sm" mb={4}>
          Example:
        </Text>
        <Code block className={classes.example}>
          {`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/projects`}
        </Code>
      </div>
    </CopyOnce>
  );
}
