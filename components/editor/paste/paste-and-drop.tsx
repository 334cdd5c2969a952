'use client';

import { Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useImageUploads } from '@/components/projects/use-image-uploads';
import type { DocumentImages } from '@/lib/document/page-model';
import { contentArea } from '@/lib/document/templates/areas';
import { focusCanvas, isCanvasActive } from '../canvas/focus-canvas';
import { isOpen, openPage, type Target } from '../editor-change';
import { newImages } from '../new-elements';
import { isPdf } from '../open-pdf/read-pdf';
import { type ImagePick, imagesOfPicks, pickOfImage } from '../pickers/image-pick';
import { addTableFile, fillTableFromFile } from '../tables/add-table-file';
import { isCellFile } from '../tables/cells-in-file';
import { useEditorContext, usePageSize } from '../use-editor';
import classes from './paste-and-drop.module.css';
import { useClipboard } from './use-clipboard';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

type PasteAndDropProps = {
  /** Receives uploaded and copied images, so that the editor does not have to fetch them. */
  onImages: (images: DocumentImages) => void;
  /** Receives a PDF that was dropped or pasted alone, or together with only CSV and TSV files. */
  onPdf: (file: File) => void;
};

/**
 * Handles pasting and dropping anywhere in the editor except in dialogs and, for pasting, in text fields. Image files
 * are uploaded to the project. A panel in a corner shows the uploads, and all images are inserted together after the
 * last upload has finished. A single PDF is passed to `onPdf`. Each CSV or TSV file becomes a new table, but if a
 * single such file is dropped on an existing table, the file replaces the cells of that table.
 */
export function PasteAndDrop({ onImages, onPdf }: PasteAndDropProps) {
  const { store, projectId, canEdit } = useEditorContext();
  const size = usePageSize();
  const [isOver, setOver] = useState(false);
  /** The images uploaded so far, and the page or master that was open when the first file was added. */
  const batch = useRef<{ picks: ImagePick[]; destination: Target | null }>({ picks: [], destination: null });
  const { pending, send, retry, drop } = useImageUploads(projectId, (image) => {
    batch.current.picks.push(pickOfImage(image));
  });

  const isUploading = pending.some(({ error }) => error === null);
  const insert = useEffectEvent(() => {
    const { picks, destination } = batch.current;
    if (picks.length === 0) return;
    onImages(imagesOfPicks(picks));
    batch.current = { picks: [], destination: null };
    const to = destination ?? store.get();
    store.dispatch({
      type: 'elements-added',
      elements: newImages(size, picks, contentArea(size, store.get().document.margin)),
      to,
    });
    // Do not take the focus from another element, where the user may be typing by now.
    if (isOpen(to, store.get()) && isCanvasActive()) focusCanvas(store);
  });
  useEffect(() => {
    if (!isUploading) insert();
  }, [isUploading]);

  const upload = (files: readonly File[]) => {
    const [first] = files;
    if (canEdit && first && files.length === 1 && isPdf(first)) return onPdf(first);
    const refused = canEdit
      ? openPage(store.get()) === null && 'Open a page first.'
      : 'You have view-only access to this document.';
    if (refused) store.dispatch({ type: 'announced', text: refused, refused: true });
    else {
      const { pageId, sheet } = store.get();
      if (!isUploading) batch.current.destination = { pageId, sheet };
      send(files);
    }
  };
  /**
   * Adds files to the page, or passes a PDF to `onPdf`. A single CSV or TSV file dropped on the table `tableId`
   * replaces the table's cells.
   */
  const addFiles = (files: readonly File[], tableId: string | null = null) => {
    const [tables, others] = [files.filter(isCellFile), files.filter((file) => !isCellFile(file))];
    const [only] = tables;
    const focus = () => {
      if (isCanvasActive()) focusCanvas(store);
    };
    if (only && tables.length === 1 && tableId !== null)
      void fillTableFromFile(store, tableId, only).then(focus);
    else for (const table of tables) void addTableFile(store, size, table).then(focus);
    if (others.length > 0) upload(others);
  };
  useClipboard({ onFiles: addFiles, onImages });

  /** Returns the id of the open page's table that contains an event's target, or null. */
  const tableAt = (from: EventTarget | null): string | null => {
    const id = from instanceof Element && from.closest('[data-target]')?.getAttribute('data-target');
    const element = openPage(store.get())?.elements.find((other) => other.id === id);
    return element?.type === 'table' ? element.id : null;
  };
  const onDrag = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    // Prevent the browser from opening a dropped file in place of the editor.
    event.preventDefault();
    const isInDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null;
    const leaves = event.type === 'dragleave' && event.relatedTarget === null;
    setOver(!isInDialog && event.type !== 'drop' && !leaves);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (event.type === 'drop' && !isInDialog && files.length > 0) addFiles(files, tableAt(event.target));
  };
  useWindowEvent('dragover', onDrag);
  useWindowEvent('dragleave', onDrag);
  useWindowEvent('drop', onDrag);

  return (
    <>
      {isOver && canEdit && (
        <div className={classes.over} aria-hidden="true">
          Drop images or CSV files to add them to the page, or a PDF to open its document
        </div>
      )}
      {pending.length > 0 && (
        <Paper
          component="section"
          aria-label="Uploads"
          withBorder
          shadow="md"
          p="sm"
          className={classes.uploads}
        >
          <Stack gap="xs">
            {pending.map(({ id, file, progress, error, canRetry }) => (
              <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
                <div className={classes.upload}>
                  <Text size="xs" c={error ? 'red' : undefined} role={error ? 'alert' : undefined}>
                    {error ?? `Uploading ${file.name} …`}
                  </Text>
                  {!error && <Progress value={progress * 100} aria-label={`Upload of ${file.name}`} mt={4} />}
                </div>
                {canRetry && error && (
                  <Button size="compact-xs" variant="default" onClick={() => retry(id)}>
                    Try again
                  </Button>
                )}
                <CloseButton
                  size="sm"
                  aria-label={`${error ? 'Dismiss' : 'Cancel'} ${file.name}`}
                  onClick={() => drop(id)}
                />
              </Group>
            ))}
          </Stack>
        </Paper>
      )}
    </>
  );
}
