'use client';

import { ActionIcon, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Section } from '@/lib/specs/sections/schema';
import classes from './sections-panel.module.css';

type SectionEntryProps = { section: Section; onGoTo: (page: number) => void };

/** Shows a section as a button that goes to its page. If the section has text, a second button shows the text. */
export function SectionEntry({ section: { title, page, level, text }, onGoTo }: SectionEntryProps) {
  const [isTextShown, setTextShown] = useState(false);
  return (
    <li style={{ paddingInlineStart: `${(Math.min(level, 6) - 1) * 0.75}rem` }}>
      <div className={classes.entry}>
        <button
          type="button"
          className={classes.section}
          disabled={page === null}
          onClick={() => page && onGoTo(page)}
        >
          <span>{title}</span>
          {page !== null && <span className={classes.page}>{page.toLocaleString('en')}</span>}
        </button>
        {text !== null && (
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.toggle}
            aria-label={`Text of ${title}`}
            aria-expanded={isTextShown}
            onClick={() => setTextShown(!isTextShown)}
          >
            {isTextShown ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
        )}
      </div>
      {isTextShown && (
        <Text size="sm" c="dimmed" dir="auto" className={classes.text}>
          {text}
        </Text>
      )}
    </li>
  );
}
