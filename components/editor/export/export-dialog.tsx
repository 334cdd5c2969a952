'use client';

import { Button, Group, Modal, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { createSubmitOnce } from '@/hooks/submit-once';
import { useOnline } from '@/hooks/use-online';
import { type ExportOptions, exportOptions, exportQuality, ownOptions } from '@/lib/document/schema';
import type { EditorDocument } from '../editor-change';
import { useEditorContext } from '../use-editor';
import classes from './export.module.css';
import { postExport } from './export-calls';
import { ExportRow } from './export-row';
import { PrintOptions } from './print-options';
import { useExports } from './use-exports';

const qualityWords = {
  screen: 'Screen, 110 dpi (smallest file)',
  print: 'Print, 200 dpi',
  archive: 'Archive, 300 dpi (largest file)',
};

type ExportDialogProps = {
  projectId: string;
  document: EditorDocument;
  /** Saves pending changes, because an export uses the stored settings (but the pages that are sent). */
  flush: () => Promise<void>;
  opened: boolean;
  onClose: () => void;
  /** Opens the page of a warning and selects the warning's element, if there is one. */
  onJump: (pageId: string, elementId: string | null) => void;
};

/** Starts PDF exports of the document and lists the previous ones. */
export function ExportDialog({ opened, onClose, ...props }: ExportDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title="Export as PDF"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ExportContent {...props} onClose={onClose} />
    </Modal>
  );
}

function ExportContent({ projectId, document, flush, onClose, onJump }: Omit<ExportDialogProps, 'opened'>) {
  const { canEdit } = useEditorContext();
  const online = useOnline();
  const list = useExports(projectId);
  const [options, setOptions] = useState<ExportOptions>(() => exportOptions.parse(ownOptions(document)));
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submitOnce = useMemo(createSubmitOnce, []);
  const isEmpty = document.pages.length === 0;

  const start = async () => {
    setStarting(true);
    setError(null);
    try {
      await flush();
      const payload = { projectId, pages: document.pages, options };
      await submitOnce(JSON.stringify(payload), (key) => postExport(payload, key));
      await list.reload();
    } catch (error) {
      setError(error);
    } finally {
      setStarting(false);
    }
  };
  const jump = (pageId: string, elementId: string | null) => {
    onClose();
    onJump(pageId, elementId);
  };

  return (
    <Stack gap="lg">
      {canEdit && (
        <Stack gap="md">
          <PrintOptions value={options} onChange={setOptions} />
          <Select
            label="Images"
            allowDeselect={false}
            data={exportQuality.options.map((quality) => ({ value: quality, label: qualityWords[quality] }))}
            value={options.quality}
            onChange={(quality) => setOptions({ ...options, quality: exportQuality.parse(quality) })}
          />
          <Group justify="space-between" gap="sm">
            <Text size="sm" c="dimmed" className={classes.facts}>
              {isEmpty
                ? 'The document has no pages yet.'
                : online
                  ? 'The PDF shows the document as it is now. Later changes are not included.'
                  : 'You are offline. Reconnect to export.'}
            </Text>
            <Button
              leftSection={<IconFileExport size={16} stroke={1.6} />}
              disabled={isEmpty || !online}
              loading={starting}
              onClick={() => void start()}
              data-autofocus
            >
              Export
            </Button>
          </Group>
          {error !== null && (
            <ErrorAlert title="The export could not be started" error={error} onRetry={() => void start()} />
          )}
        </Stack>
      )}
      <Stack component="section" gap="sm" aria-label="Exports">
        <Title order={3} size="h5">
          Exports
        </Title>
        {list.error !== null && (
          <ErrorAlert
            title="The exports could not be loaded"
            error={list.error}
            onRetry={() => void list.reload()}
          />
        )}
        {list.items === null ? (
          list.error === null && <Skeleton h={72} role="status" aria-label="Loading" />
        ) : list.items.length === 0 ? (
          <Text size="sm" c="dimmed">
            No exports yet.
          </Text>
        ) : (
          <ul className={classes.jobs} aria-label="Exports">
            {list.items.map((job) => (
              <ExportRow
                key={job.jobId}
                job={job}
                document={document}
                onCancel={canEdit ? list.cancel : undefined}
                onJump={jump}
              />
            ))}
          </ul>
        )}
        {list.hasMore && (
          <Group justify="center">
            <Button variant="default" size="xs" onClick={() => void list.loadMore()}>
              Show older exports
            </Button>
          </Group>
        )}
      </Stack>
    </Stack>
  );
}
