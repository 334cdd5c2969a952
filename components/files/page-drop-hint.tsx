import { Text } from '@mantine/core';
import classes from './page-drop-hint.module.css';

/** While `isShown`, covers the page with a message that says what happens if the dragged files are dropped. */
export function PageDropHint({ isShown, children }: { isShown: boolean; children: string }) {
  if (!isShown) return null;
  return (
    <div className={classes.hint}>
      <Text fw={500}>{children}</Text>
    </div>
  );
}
