'use client';

import { CloseButton, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './kit.module.css';

type KitItemProps = {
  /** The item's name for screen readers, such as `style Heading`. */
  what: string;
  /** The content of the row: the name and a sample of the style or color. */
  summary: ReactNode;
  /** Null for viewers. */
  onDelete: (() => void) | null;
  /** The fields of the item. */
  children: ReactNode;
};

/** A row of the brand kit that expands to the fields of a style or color. */
export function KitItem({ what, summary, onDelete, children }: KitItemProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fields = useId();
  return (
    <li>
      <Group gap={4} wrap="nowrap">
        <UnstyledButton
          className={classes.item}
          aria-expanded={isOpen}
          aria-controls={fields}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronRight size={14} stroke={1.6} className={classes.chevron} aria-hidden />
          {summary}
        </UnstyledButton>
        {onDelete && <CloseButton size="sm" aria-label={`Delete ${what}`} onClick={onDelete} />}
      </Group>
      <Collapse id={fields} expanded={isOpen} keepMounted={false} transitionDuration={0}>
        <Stack gap="xs" className={classes.fields} role="group" aria-label={what}>
          {children}
        </Stack>
      </Collapse>
    </li>
  );
}
