'use client';

import { ActionIcon, Button, Center, Group, Loader, Menu, Stack, Text } from '@mantine/core';
import { IconDotsVertical, IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { readAgain } from '@/hooks/read-again';
import type { Spec } from '@/lib/specs/schema';
import type { SectionsResponse } from '@/lib/specs/sections/schema';
import { EditSectionsDialog } from './edit-sections-dialog';
import { readSections, restoreSections, sectionExports } from './section-calls';
import classes from './sections-panel.module.css';

const sources = {
  outline: 'From the outline of the PDF',
  workflow: 'From the workflow service',
  manual: 'Edited manually',
};

/** How often the sections are read again while the PDF is being read. */
const READING_MS = 3_000;

type SectionsPanelProps = { spec: Spec; onGoTo: (page: number) => void };

/** Lists the sections of a spec, which link to their pages, with actions that edit and export them. */
export function SectionsPanel({ spec, onGoTo }: SectionsPanelProps) {
  const { specUploadId, statusSeq } = spec;
  const queryClient = useQueryClient();
  const queryKey = ['specs', 'sections', specUploadId];
  const { data, error, refetch } = useQuery({
    // A result of the workflow service can bring sections.
    queryKey: [...queryKey, statusSeq],
    queryFn: ({ signal }) => readSections(specUploadId, signal),
    placeholderData: (previous) => previous,
    // Until the PDF is read, unless sections were reported before.
    refetchInterval: ({ state }) => state.data?.version === 0 && READING_MS,
  });
  const [editing, setEditing] = useState<SectionsResponse | null>(null);
  const reload = () => {
    void readAgain(queryClient, queryKey);
    // The versions of a spec are compared by their sections.
    void readAgain(queryClient, ['specs', 'changes', specUploadId]);
  };
  const closeEditor = () => {
    setEditing(null);
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
                  <Menu.Item onClick={() => void restore()}>Restore original</Menu.Item>
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
            {data.version === 0
              ? 'The PDF is being read.'
              : 'The PDF has no outline, and no sections were reported.'}
          </Text>
          {data.version > 0 && (
            <Button size="xs" variant="default" onClick={() => setEditing(data)}>
              Add sections
            </Button>
          )}
        </Stack>
      )}
      <nav aria-label="Sections">
        <ol className={classes.list}>
          {data.sections.map(({ title, page, level }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a section has no identity but its position.
            <li key={n} style={{ paddingInlineStart: `${(Math.min(level, 6) - 1) * 0.75}rem` }}>
              <button
                type="button"
                className={classes.section}
                disabled={page === null}
                onClick={() => page && onGoTo(page)}
              >
                <span>{title}</span>
                {page !== null && <span className={classes.page}>{page.toLocaleString('en')}</span>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {editing && <EditSectionsDialog specUploadId={specUploadId} original={editing} onClose={closeEditor} />}
    </Stack>
  );
}
