import { Text } from '@mantine/core';
import classes from './page-drop-hint.module.css';

/** Covers the page with a message while files that it accepts are dragged over it. */
export function PageDropHint({ isShown, children }: { isShown: boolean; children: string }) {
  if (!isShown) return null;
  return (
    <div className={classes.hint}>
      <Text fw={500}>{children}</Text>
    </div>
  );
}
