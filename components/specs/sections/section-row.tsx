'use client';

import { ActionIcon, Group, NumberInput, Textarea, TextInput } from '@mantine/core';
import {
  IconAlignLeft,
  IconArrowDown,
  IconArrowUp,
  IconIndentDecrease,
  IconIndentIncrease,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MAX_SECTION_CHARS } from '@/lib/specs/sections/schema';
import classes from './edit-sections-dialog.module.css';
import { type DraftSection, MAX_SECTION_LEVEL, type SectionEdit } from './section-edits';

type SectionRowProps = {
  section: DraftSection;
  position: number;
  count: number;
  isTextShown: boolean;
  onToggleText: () => void;
  onEdit: (edit: SectionEdit) => void;
};

/** Shows the fields and actions of one section in `EditSectionsDialog`. */
export function SectionRow({ section, position, count, isTextShown, onToggleText, onEdit }: SectionRowProps) {
  const { key, title, page, level, text } = section;
  const button = (label: string, icon: ReactNode, edit: SectionEdit, disabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${label} section ${position}`}
      disabled={disabled}
      onClick={() => onEdit(edit)}
    >
      {icon}
    </ActionIcon>
  );
  const change = (change: Partial<DraftSection>) => onEdit({ type: 'change', key, change });

  return (
    <div className={classes.row}>
      <TextInput
        aria-label={`Title of section ${position}`}
        className={classes.title}
        style={{ paddingInlineStart: `${(Math.min(level, 6) - 1) * 1}rem` }}
        value={title}
        maxLength={300}
        error={title.trim() === ''}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <NumberInput
        aria-label={`Page of section ${position}`}
        className={classes.page}
        placeholder="Page"
        value={page ?? ''}
        min={1}
        max={100_000}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onValueChange={({ floatValue }, { source }) => {
          if (source === 'event') change({ page: floatValue || null });
        }}
      />
      <Group gap={0} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color={text ? undefined : 'gray'}
          aria-label={text ? `Text of section ${position}` : `Add text to section ${position}`}
          aria-expanded={isTextShown}
          onClick={onToggleText}
        >
          <IconAlignLeft size={16} />
        </ActionIcon>
        {button(
          'Outdent',
          <IconIndentDecrease size={16} />,
          { type: 'change', key, change: { level: level - 1 } },
          level <= 1,
        )}
        {button(
          'Indent',
          <IconIndentIncrease size={16} />,
          { type: 'change', key, change: { level: level + 1 } },
          level >= MAX_SECTION_LEVEL,
        )}
        {button('Move up', <IconArrowUp size={16} />, { type: 'move', key, by: -1 }, position === 1)}
        {button('Move down', <IconArrowDown size={16} />, { type: 'move', key, by: 1 }, position === count)}
        {button('Add after', <IconPlus size={16} />, { type: 'add', after: key })}
        {button('Delete', <IconTrash size={16} />, { type: 'remove', key })}
      </Group>
      {isTextShown && (
        <Textarea
          aria-label={`Text of section ${position}`}
          className={classes.text}
          placeholder="Text"
          value={text ?? ''}
          maxLength={MAX_SECTION_CHARS}
          autosize
          minRows={3}
          maxRows={8}
          dir="auto"
          onChange={(event) => change({ text: event.currentTarget.value || null })}
        />
      )}
    </div>
  );
}
