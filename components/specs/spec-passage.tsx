import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { SpecMatch } from '@/lib/specs/schema';
import classes from './spec-passage.module.css';

/** Shows a passage of the PDF with the words of the search marked. */
export function SpecPassage({ match: { page, passage, marks } }: { match: SpecMatch }) {
  return (
    <Text size="sm" c="dimmed" className={classes.passage}>
      Page {page.toLocaleString('en')}: {passage.slice(0, marks[0]?.start)}
      {marks.map(({ start, end }, n) => (
        <Fragment key={start}>
          <mark>{passage.slice(start, end)}</mark>
          {passage.slice(end, marks[n + 1]?.start)}
        </Fragment>
      ))}
    </Text>
  );
}
