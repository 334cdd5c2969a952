'use client';

import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useReducer, useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import { useEscapeCloses } from '@/components/feedback/use-escape-closes';
import { FormFailure } from '@/components/form/form-failure';
import { ApiError } from '@/lib/http/client';
import type { SectionsResponse } from '@/lib/specs/sections/schema';
import classes from './edit-sections-dialog.module.css';
import { saveSections } from './section-calls';
import { draftOf, editedSections, editSections, isEdited } from './section-edits';
import { SectionRow } from './section-row';

type EditSectionsDialogProps = {
  specUploadId: string;
  original: SectionsResponse;
  /** Also called after saving. */
  onClose: () => void;
};

/** Lets an administrator correct the sections of a spec. */
export function EditSectionsDialog({ specUploadId, original, onClose }: EditSectionsDialogProps) {
  const [draft, edit] = useReducer(editSections, original.sections, draftOf);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  /** The keys of the sections whose texts are shown. */
  const [openTexts, setOpenTexts] = useState<number[]>([]);
  const escapeCloses = useEscapeCloses();
  // This is state instead of a ref, because the modal mounts the list after the first render, and this component must
  // then render again.
  const [list, setList] = useState<HTMLDivElement | null>(null);
  const { sections, past } = draft;
  const hasEdits = isEdited(draft);
  const virtualizer = useVirtualizer({
    count: sections.length,
    getScrollElement: () => list,
    getItemKey: useCallback((index: number) => sections[index]?.key ?? index, [sections]),
    estimateSize: () => 48,
    overscan: 5,
  });
  const isUntitled = sections.some(({ title }) => title.trim() === '');
  // A PDF that has not been read yet also causes a `state_conflict`, but without `currentVersion` in the response.
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
      await saveSections(specUploadId, original.version, editedSections(draft));
      onClose();
    } catch (error) {
      setError(error);
    } finally {
      setIsBusy(false);
    }
  };

  const close = () => {
    if (isBusy) return;
    if (!hasEdits) return onClose();
    askToConfirm({
      title: 'Discard your edits?',
      text: 'Your changes to the sections have not been saved.',
      action: 'Discard edits',
      cancel: 'Keep editing',
      onConfirm: onClose,
    });
  };
  const toggleText = (key: number) =>
    setOpenTexts(openTexts.includes(key) ? openTexts.filter((open) => open !== key) : [...openTexts, key]);

  return (
    <Modal
      opened
      size="xl"
      title="Edit sections"
      onClose={close}
      closeOnEscape={escapeCloses}
      closeOnClickOutside={!hasEdits}
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
                      isTextShown={openTexts.includes(section.key)}
                      onToggleText={() => toggleText(section.key)}
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
            <Button variant="default" disabled={isBusy} onClick={close}>
              Cancel
            </Button>
            <Button loading={isBusy} disabled={isUntitled || !hasEdits} onClick={() => void save()}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
