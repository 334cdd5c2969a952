'use client';

import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { DropZone } from '@/components/files/drop-zone';
import { FormFailure } from '@/components/form/form-failure';
import { countOf } from '@/components/format/count';
import { useOnline } from '@/hooks/use-online';
import type { OpenedDocument } from '@/lib/export/schema';
import { useEditorContext } from '../use-editor';
import { pdfRefusal, readDocumentOfPdf } from './read-pdf';

type OpenPdfDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** The PDF that was dropped on the editor or pasted into it; null to let the user choose one. */
  file: File | null;
  /** Called when the user confirms, just before the document is replaced. */
  onOpened: () => void;
};

/**
 * Reads the editable document embedded in an exported PDF and, after the user confirms, replaces the open document with
 * it.
 */
export function OpenPdfDialog({ opened, onClose, ...props }: OpenPdfDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Open a PDF">
      <OpenPdf {...props} onClose={onClose} />
    </Modal>
  );
}

type Reading =
  | { phase: 'choosing'; refusal: string | null }
  | { phase: 'reading'; file: File }
  | { phase: 'failed'; file: File; error: unknown }
  | { phase: 'read'; file: File; opened: OpenedDocument };

function OpenPdf({ file, onClose, onOpened }: Omit<OpenPdfDialogProps, 'opened'>) {
  const { store, projectId } = useEditorContext();
  const online = useOnline();
  const [share, setShare] = useState(0);
  const start = useCallback((chosen: File | null | undefined): Reading => {
    if (!chosen) return { phase: 'choosing', refusal: null };
    const refusal = pdfRefusal(chosen);
    return refusal ? { phase: 'choosing', refusal } : { phase: 'reading', file: chosen };
  }, []);
  const [state, setState] = useState<Reading>(() => start(file));
  const reading = state.phase === 'reading' ? state.file : null;

  useEffect(() => {
    if (!reading) return;
    const controller = new AbortController();
    setShare(0);
    readDocumentOfPdf(projectId, reading, { signal: controller.signal, onProgress: setShare }).then(
      (opened) => setState({ phase: 'read', file: reading, opened }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ phase: 'failed', file: reading, error });
      },
    );
    return () => controller.abort();
  }, [projectId, reading]);

  if (state.phase === 'choosing') {
    return (
      <Stack gap="sm">
        <DropZone
          label="PDF"
          inputLabel="Choose a PDF"
          accept="application/pdf,.pdf"
          multiple={false}
          onDrop={(files) => setState(start(files[0]))}
        >
          {(openFiles) => (
            <Stack gap="xs" align="center">
              <Text size="sm">Drop a PDF that was exported with its editable document.</Text>
              <Button variant="default" disabled={!online} onClick={openFiles} data-autofocus>
                Choose a PDF
              </Button>
            </Stack>
          )}
        </DropZone>
        {!online && <Text size="sm">You are offline. Reconnect to open a PDF.</Text>}
        <FormFailure text={state.refusal} />
      </Stack>
    );
  }
  if (state.phase === 'reading') {
    return (
      <Stack gap="xs">
        <Text size="sm" role="status">
          {share < 1 ? `Uploading ${state.file.name} …` : 'Reading the document …'}
        </Text>
        <Progress value={share * 100} animated={share === 1} aria-label="Upload progress" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    );
  }
  if (state.phase === 'failed') {
    return (
      <ErrorAlert
        title={`${state.file.name} could not be opened`}
        error={state.error}
        onRetry={() => setState({ phase: 'reading', file: state.file })}
      />
    );
  }
  const { document, notices } = state.opened;
  const replace = () => {
    onOpened();
    store.dispatch({ type: 'document-replaced', document, message: `${state.file.name} was opened.` });
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {state.file.name} has {countOf(document.pages.length, 'page')}. They replace all pages of this
        document, with its cover, masters and settings. You can undo this.
      </Text>
      {notices.length > 0 && (
        <List size="sm" aria-label="Missing images" mah="14rem" style={{ overflow: 'auto' }}>
          {notices.map((notice) => (
            <List.Item key={notice}>{notice}</List.Item>
          ))}
        </List>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button leftSection={<IconFileImport size={16} stroke={1.6} />} onClick={replace} data-autofocus>
          Replace the document
        </Button>
      </Group>
    </Stack>
  );
}
