'use client';

import { Loader, Modal, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import { type ExportOptions, exportOptions, sheetOptionsOf } from '@/lib/document/schema';
import { sheetSize } from '@/lib/document/sheets';
import type { EditorDocument } from '../editor-change';
import { useEditorContext } from '../use-editor';
import classes from './export.module.css';
import { PrintOptions } from './print-options';

const PX_PER_MM = 96 / 25.4;
/** Horizontal space for the margins of a sheet and the scroll bar. */
const ROOM_PX = 40;

type PreviewDialogProps = {
  projectId: string;
  document: EditorDocument;
  /** Saves pending changes, because the preview shows the stored document. */
  flush: () => Promise<void>;
  opened: boolean;
  onClose: () => void;
};

function previewHref(key: DocumentKey, options: ExportOptions): string {
  const { format, orientation, includecover, includeToc } = options;
  const chosen = Object.entries({ format, orientation, includecover, includeToc });
  const query = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]));
  query.set('documentId', documentIdOf(key));
  return `/api/export/render/${key.projectId}?${query}`;
}

/** Shows the sheets as they will be printed, using the same HTML as the PDF. */
export function PreviewDialog({ opened, onClose, ...props }: PreviewDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} fullScreen title="Preview">
      <Preview {...props} />
    </Modal>
  );
}

function Preview({ projectId, document, flush }: Omit<PreviewDialogProps, 'opened' | 'onClose'>) {
  const { documentId } = useEditorContext();
  const [options, setOptions] = useState<ExportOptions>(() => exportOptions.parse(sheetOptionsOf(document)));
  const [isSaved, setIsSaved] = useState(false);
  const [isDrawn, setIsDrawn] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { ref, width, height } = useElementSize();

  const save = useCallback(async () => {
    setError(null);
    try {
      await flush();
      setIsSaved(true);
    } catch (error) {
      setError(error);
    }
  }, [flush]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: save once when the dialog opens.
  useEffect(() => void save(), []);

  const sheetPx = sheetSize(options).width * PX_PER_MM + ROOM_PX;
  const scale = width > 0 ? Math.min(1, width / sheetPx) : 1;
  return (
    <Stack gap="md">
      <PrintOptions
        value={options}
        onChange={(next) => {
          setIsDrawn(false);
          setOptions(next);
        }}
      />
      {error !== null && (
        <ErrorAlert
          title="The document could not be saved for the preview"
          error={error}
          onRetry={() => void save()}
        />
      )}
      <div className={classes.preview} ref={ref}>
        {!isDrawn && error === null && (
          <div className={classes.wait}>
            <Loader aria-label="Loading preview" />
          </div>
        )}
        {isSaved && (
          <iframe
            title="Preview of the document"
            src={previewHref({ projectId, documentId }, options)}
            style={{ width: width / scale, height: height / scale, transform: `scale(${scale})` }}
            onLoad={() => setIsDrawn(true)}
          />
        )}
      </div>
    </Stack>
  );
}
