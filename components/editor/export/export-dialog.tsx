'use client';

import { Button, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { createSubmitOnce } from '@/hooks/submit-once';
import { useOnline } from '@/hooks/use-online';
import { type ExportOptions, exportOptions, sheetOptionsOf } from '@/lib/document/schema';
import { pageNumber } from '@/lib/document/sheets';
import { readDocumentVersion } from '../document-calls';
import { type EditorDocument, numberAt } from '../editor-change';
import { useEditor, useEditorContext, useFrontSheetCount } from '../use-editor';
import classes from './export.module.css';
import { ExportRow } from './export-row';
import { FileNameField, fileNameError } from './file-name-field';
import { PageChoice, pageRangeError, rangeToSend } from './page-choice';
import { PrintOptions } from './print-options';
import { PrintShopOptions } from './print-shop-options';
import { startExport } from './start-export';
import { useExports } from './use-exports';

type ExportDialogProps = {
  projectId: string;
  document: EditorDocument;
  /** Saves pending changes. */
  flush: () => Promise<void>;
  opened: boolean;
  onClose: () => void;
  /** Opens the page or master of a warning and selects the warning's element, if there is one. */
  onJump: (pageId: string, elementId: string | null) => void;
  /** Shows the document version from which an export was made. */
  onVersion: (versionId: string) => void;
};

/** Starts PDF exports of the document and lists the previous ones. */
export function ExportDialog({ opened, onClose, ...props }: ExportDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title="Export as PDF">
      <ExportContent {...props} onClose={onClose} />
    </Modal>
  );
}

function ExportContent(props: Omit<ExportDialogProps, 'opened'>) {
  const { projectId, document, flush, onClose, onJump, onVersion } = props;
  const { store, canEdit, projectName, documentId, documentName } = useEditorContext();
  const current = useEditor(({ pageId, sheet, document }) =>
    sheet.kind === 'page'
      ? numberAt(
          document,
          document.pages.findIndex(({ id }) => id === pageId),
        )
      : null,
  );
  const front = useFrontSheetCount();
  const online = useOnline();
  const list = useExports(projectId, documentId);
  const [options, setOptions] = useState<ExportOptions>(() =>
    exportOptions.parse({ ...sheetOptionsOf(document), embedDocument: true }),
  );
  // The range of pages, in the page numbers that the editor shows (unlike `options.pages`); null for all pages.
  const [range, setRange] = useState<string | null>(null);
  // Save first, because the file name can contain the number of the exported version.
  const { data: saved } = useQuery({
    queryKey: ['document-version', documentId],
    queryFn: async () => {
      await flush();
      return readDocumentVersion({ projectId, documentId });
    },
    enabled: canEdit,
    gcTime: 0,
  });
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submitOnce = useMemo(createSubmitOnce, []);
  const isEmpty = document.pages.length === 0;
  // By default, use the file name pattern of the document's last export, even if another user started it.
  const [ownName, setOwnName] = useState<string | null>();
  const fileName = ownName === undefined ? (list.items?.[0]?.options.fileName ?? null) : ownName;
  const isInvalid =
    pageRangeError(range, document.pages.length, front) !== null || fileNameError(fileName) !== null;

  const start = async () => {
    setStarting(true);
    setError(null);
    try {
      const { documentVersion: _, ...choices } = {
        ...options,
        pages: rangeToSend(range, front),
        fileName,
      };
      await startExport({ store, flush, submitOnce, projectId, documentId, options: choices });
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
          <PageChoice
            value={range}
            onChange={setRange}
            count={document.pages.length}
            current={current}
            front={front}
            pdfFront={pageNumber(document, options, 0) - 1}
          />
          <PrintShopOptions value={options} onChange={setOptions} />
          <FileNameField
            value={fileName}
            onChange={setOwnName}
            facts={{
              project: projectName,
              document: { name: documentName, isMain: documentId === projectId },
              at: new Date(),
              version: saved?.version ?? null,
            }}
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
              disabled={isEmpty || !online || isInvalid}
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
                onVersion={onVersion}
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
