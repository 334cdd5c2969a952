'use client';

import { ActionIcon, Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconIndentDecrease,
  IconIndentIncrease,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useReducer, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { FormFailure } from '@/components/form/form-failure';
import { ApiError } from '@/lib/http/client';
import type { SectionsResponse } from '@/lib/specs/sections/schema';
import classes from './edit-sections-dialog.module.css';
import { saveSections } from './section-calls';
import { type DraftSection, draftOf, editSections, type SectionEdit } from './section-edits';

type RowProps = {
  section: DraftSection;
  position: number;
  count: number;
  onEdit: (edit: SectionEdit) => void;
};

function SectionRow({ section, position, count, onEdit }: RowProps) {
  const { key, title, page, level } = section;
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
        {button(
          'Outdent',
          <IconIndentDecrease size={16} />,
          { type: 'change', key, change: { level: level - 1 } },
          level <= 1,
        )}
        {button('Indent', <IconIndentIncrease size={16} />, {
          type: 'change',
          key,
          change: { level: level + 1 },
        })}
        {button('Move up', <IconArrowUp size={16} />, { type: 'move', key, by: -1 }, position === 1)}
        {button('Move down', <IconArrowDown size={16} />, { type: 'move', key, by: 1 }, position === count)}
        {button('Add after', <IconPlus size={16} />, { type: 'add', after: key })}
        {button('Delete', <IconTrash size={16} />, { type: 'remove', key })}
      </Group>
    </div>
  );
}

type EditSectionsDialogProps = {
  specUploadId: string;
  original: SectionsResponse;
  /** Called after saving too. */
  onClose: () => void;
};

/** Lets an administrator correct the sections of a spec. */
export function EditSectionsDialog({ specUploadId, original, onClose }: EditSectionsDialogProps) {
  const [draft, edit] = useReducer(editSections, original.sections, draftOf);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // The modal mounts its content later, so the scroll element is state.
  const [list, setList] = useState<HTMLDivElement | null>(null);
  const { sections, past } = draft;
  const virtualizer = useVirtualizer({
    count: sections.length,
    getScrollElement: () => list,
    getItemKey: useCallback((index: number) => sections[index]?.key ?? index, [sections]),
    estimateSize: () => 48,
    overscan: 5,
  });
  const isUntitled = sections.some(({ title }) => title.trim() === '');
  // A PDF that has not been read yet is a conflict too, with a message of its own.
  const isConflict = error instanceof ApiError && 'currentVersion' in error.problem;
  const failure = () => {
    if (isConflict) return 'Someone else has changed the sections. Close this dialog and edit them again.';
    if (error !== null) return describeError(error);
    return isUntitled ? 'Each section needs a title.' : null;
  };

  const save = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await saveSections(
        specUploadId,
        original.version,
        sections.map(({ key: _, ...section }) => section),
      );
      onClose();
    } catch (error) {
      setError(error);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Modal
      opened
      size="xl"
      title="Edit sections"
      onClose={() => !isBusy && onClose()}
      closeOnClickOutside={past.length === 0}
      closeButtonProps={{ disabled: isBusy }}
    >
      <Stack gap="md">
        <div ref={setList} className={classes.list}>
          <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const section = sections[index];
              return (
                section && (
                  <div
                    key={key}
                    ref={virtualizer.measureElement}
                    data-index={index}
                    className={classes.item}
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <SectionRow
                      section={section}
                      position={index + 1}
                      count={sections.length}
                      onEdit={edit}
                    />
                  </div>
                )
              );
            })}
          </div>
        </div>
        <FormFailure text={failure()} />
        <Group justify="space-between">
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} />}
              onClick={() => edit({ type: 'add', after: null })}
            >
              Add section
            </Button>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} />}
              disabled={past.length === 0}
              onClick={() => edit({ type: 'undo' })}
            >
              Undo
            </Button>
          </Group>
          <Group gap="xs">
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              Cancel
            </Button>
            <Button loading={isBusy} disabled={isUntitled || past.length === 0} onClick={() => void save()}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
