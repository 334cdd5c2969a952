'use client';

import { ActionIcon, Button, Center, Group, Loader, Menu, Stack, Text } from '@mantine/core';
import { IconDotsVertical, IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { readAgain } from '@/hooks/read-again';
import type { Spec } from '@/lib/specs/schema';
import type { SectionsResponse } from '@/lib/specs/sections/schema';
import { EditSectionsDialog } from './edit-sections-dialog';
import { restoreSections, sectionExports } from './section-calls';
import { SectionEntry } from './section-entry';
import classes from './sections-panel.module.css';
import { sectionsKey, useSections } from './use-sections';

const sources = {
  outline: 'From the outline of the PDF',
  workflow: 'From the workflow service',
  manual: 'Edited manually',
};

type SectionsPanelProps = { spec: Spec; onGoTo: (page: number) => void };

/** Lists the sections of a spec as buttons that go to their pages, with actions that edit, export and restore them. */
export function SectionsPanel({ spec, onGoTo }: SectionsPanelProps) {
  const { specUploadId } = spec;
  const queryClient = useQueryClient();
  const { data, error, refetch } = useSections(spec);
  const [editing, setEditing] = useState<SectionsResponse | null>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const reload = () => {
    void readAgain(queryClient, sectionsKey(specUploadId));
    // Also reload the comparison with another version, because it depends on the sections.
    void readAgain(queryClient, ['specs', 'changes', specUploadId]);
  };
  const closeEditor = () => {
    // The dialog cannot return the focus, because it is removed instead of closed.
    flushSync(() => setEditing(null));
    editButton.current?.focus();
    reload();
  };

  if (!data) {
    if (error) return <ErrorAlert title="The sections could not be loaded" error={error} onRetry={refetch} />;
    return (
      <Center p="md" role="status" aria-label="Loading the sections">
        <Loader size="sm" />
      </Center>
    );
  }
  const restore = async () => {
    try {
      await restoreSections(specUploadId, data.version);
    } catch (error) {
      showError('The original sections could not be restored', error);
    } finally {
      reload();
    }
  };
  const askToRestore = () =>
    askToConfirm({
      title: 'Restore the original sections?',
      text: 'The sections from the PDF or the workflow service replace those edited manually. This cannot be undone.',
      action: 'Restore original',
      cancel: 'Keep edited sections',
      onConfirm: () => void restore(),
    });
  const { csv, json } = sectionExports(specUploadId);
  const isEmpty = data.sections.length === 0;

  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed">
          {countOf(data.sections.length, 'section')}
          {data.source && (
            <>
              <br />
              {sources[data.source]}
            </>
          )}
        </Text>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            ref={editButton}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Edit sections"
            disabled={data.version === 0}
            onClick={() => setEditing(data)}
          >
            <IconPencil size={16} />
          </ActionIcon>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label="More actions for sections">
                <IconDotsVertical size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component="a" href={csv} download disabled={isEmpty}>
                Export as CSV
              </Menu.Item>
              <Menu.Item component="a" href={json} download="sections.json" disabled={isEmpty}>
                Export as JSON
              </Menu.Item>
              {data.isCorrected && (
                <>
                  <Menu.Divider />
                  <Menu.Item onClick={askToRestore}>Restore original…</Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {data.originalChangedAt && (
        <Text size="xs" role="note" className={classes.changed}>
          The workflow service has reported different sections since this edit. Choose “Restore original” to
          use them.
        </Text>
      )}
      {isEmpty && (
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {data.version === 0 && 'The PDF is being read.'}
            {data.version > 0 &&
              (data.isCorrected
                ? 'All sections were deleted.'
                : 'The PDF has no outline, and no sections were reported.')}
          </Text>
          {data.version > 0 && (
            <Button size="xs" variant="default" onClick={() => setEditing(data)}>
              Add sections
            </Button>
          )}
        </Stack>
      )}
      <nav aria-label="Sections">
        <ol
          // A section's React key is its position, and a correction can move sections. A new version therefore remounts
          // the list. Otherwise, the text at a position could stay open although another section is now there.
          key={data.version}
          className={classes.list}
          data-texts={data.sections.some(({ text }) => text !== null) || undefined}
        >
          {data.sections.map((section, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a section has no identity but its position.
            <SectionEntry key={n} section={section} onGoTo={onGoTo} />
          ))}
        </ol>
      </nav>
      {editing && <EditSectionsDialog specUploadId={specUploadId} original={editing} onClose={closeEditor} />}
    </Stack>
  );
}
