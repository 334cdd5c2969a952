'use client';

import { memo, useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import { useLastKnown } from '@/hooks/use-last-known';
import type { DocumentImages } from '@/lib/document/page-model';
import { contentArea } from '@/lib/document/templates/areas';
import { focusCanvas } from './canvas/focus-canvas';
import { newImages, newMaterials } from './new-elements';
import { InsertImageDialogOnDemand } from './pickers/insert-image-dialog-on-demand';
import { standardElements } from './standards/standard-elements';
import { useEditor, useEditorContext, usePageSize } from './use-editor';

const closed = { opened: false };
const InsertMaterialDialog = onDemand(
  () => import('./pickers/insert-material-dialog').then((file) => file.InsertMaterialDialog),
  closed,
);
const InsertStandardDialog = onDemand(
  () => import('./standards/insert-standard-dialog').then((file) => file.InsertStandardDialog),
  closed,
);
const TemplatesDialog = onDemand(
  () => import('./templates/templates-dialog').then((file) => file.TemplatesDialog),
  closed,
);
const PreviewDialog = onDemand(
  () => import('./export/preview-dialog').then((file) => file.PreviewDialog),
  closed,
);
const ShareDialog = onDemand(
  () => import('@/components/share-links/share-dialog').then((file) => file.ShareDialog),
  closed,
);
const OpenPdfDialog = onDemand(
  () => import('./open-pdf/open-pdf-dialog').then((file) => file.OpenPdfDialog),
  closed,
);
const HistoryDialog = onDemand(
  () => import('./history/history-dialog').then((file) => file.HistoryDialog),
  closed,
);
const ExportDialog = onDemand(
  () => import('./export/export-dialog').then((file) => file.ExportDialog),
  closed,
);

export type EditorDialog =
  | 'images'
  | 'replace'
  | 'cover'
  | 'materials'
  | 'standards'
  | 'templates'
  | 'preview'
  | 'export'
  | 'open-pdf'
  | 'history'
  | 'share';

type EditorDialogsProps = {
  dialog: EditorDialog | null;
  onDialog: (dialog: EditorDialog) => void;
  onClose: () => void;
  flush: () => Promise<void>;
  /** The PDF that was dropped or pasted, for the dialog `open-pdf`. If null, the dialog asks for one. */
  droppedPdf: File | null;
  /** Receives the images of the picked items, so that the editor does not have to fetch them. */
  onImages: (images: DocumentImages) => void;
};

/** Renders the dialogs of `EditorDialog`. The code of each is loaded on demand. */
export const EditorDialogs = memo(function EditorDialogs(props: EditorDialogsProps) {
  const { dialog, onDialog, onClose, flush, droppedPdf, onImages } = props;
  const { store, projectId, documentId } = useEditorContext();
  // Subscribe to the document only while a dialog is open, because each step of a drag changes the document.
  const opened = useEditor((state) => (dialog === null ? undefined : state.document));
  const document = useLastKnown(opened, store.get().document);
  const size = usePageSize();
  // The version that the user opened from the list of exports.
  const [exportedId, setExportedId] = useState<string | null>(null);
  const shared = { projectId, onClose };
  /** Closes the dialog after a choice and focuses the canvas, so that keys act on what was chosen. */
  const finish = () => {
    onClose();
    focusCanvas(store);
  };
  const single = dialog === 'replace' || dialog === 'cover';
  return (
    <>
      <InsertImageDialogOnDemand
        {...shared}
        opened={dialog === 'images' || single}
        max={single ? 1 : undefined}
        purpose={dialog === 'replace' || dialog === 'cover' ? dialog : 'insert'}
        onPick={(picks, images) => {
          onImages(images);
          finish();
          const [first] = picks;
          if (!first) return;
          const source = { imageId: first.imageId, path: first.imageId ? null : first.path };
          const { selected, document: now } = store.get();
          if (dialog === 'cover') {
            store.dispatch({ type: 'document-changed', patch: { cover: { ...now.cover, ...source } } });
          } else if (dialog === 'replace') {
            // Keep the existing description if the new image has none, because the description may fit the new image as
            // well.
            const patch = { ...source, crop: null, ...(first.alt !== '' && { alt: first.alt }) };
            store.dispatch({ type: 'elements-changed', ids: selected, patch });
          } else {
            store.dispatch({
              type: 'elements-added',
              elements: newImages(size, picks, contentArea(size, now.margin)),
            });
          }
        }}
      />
      <InsertMaterialDialog
        {...shared}
        opened={dialog === 'materials'}
        onPick={(materials, images) => {
          onImages(images);
          finish();
          store.dispatch({
            type: 'elements-added',
            elements: newMaterials(size, materials, contentArea(size, store.get().document.margin)),
          });
        }}
      />
      <InsertStandardDialog
        {...shared}
        opened={dialog === 'standards'}
        onPick={(standard, sections) => {
          finish();
          store.dispatch({
            type: 'elements-added',
            elements: standardElements(standard, sections, contentArea(size, store.get().document.margin)),
          });
        }}
      />
      <TemplatesDialog
        {...shared}
        opened={dialog === 'templates'}
        onImages={onImages}
        onPick={(pages, images) => {
          onImages(images);
          finish();
          store.dispatch({ type: 'pages-added', pages, after: store.get().pageId });
        }}
      />
      <PreviewDialog {...shared} opened={dialog === 'preview'} document={document} flush={flush} />
      <ShareDialog {...shared} documentId={documentId} opened={dialog === 'share'} initialKind="document" />
      <OpenPdfDialog opened={dialog === 'open-pdf'} onClose={onClose} file={droppedPdf} onOpened={finish} />
      <HistoryDialog
        opened={dialog === 'history'}
        initialId={exportedId}
        onClose={() => {
          setExportedId(null);
          onClose();
        }}
        onRestored={() => {
          setExportedId(null);
          finish();
        }}
        flush={flush}
      />
      <ExportDialog
        {...shared}
        opened={dialog === 'export'}
        document={document}
        flush={flush}
        onVersion={(versionId) => {
          setExportedId(versionId);
          onDialog('history');
        }}
        onJump={(pageId, elementId) => {
          finish();
          const selected = elementId === null ? [] : [elementId];
          const isPage = store.get().document.pages.some(({ id }) => id === pageId);
          store.dispatch(
            isPage
              ? { type: 'page-opened', pageId, selected }
              : { type: 'sheet-opened', sheet: { kind: 'master', id: pageId }, selected },
          );
        }}
      />
    </>
  );
});
