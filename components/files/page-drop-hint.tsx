import { Text } from '@mantine/core';
import classes from './page-drop-hint.module.css';

/** Covers the page, while `isShown`, with a message that says what dropping the dragged files does. */
export function PageDropHint({ isShown, children }: { isShown: boolean; children: string }) {
  if (!isShown) return null;
  return (
    <div className={classes.hint}>
      <Text fw={500}>{children}</Text>
    </div>
  );
}
