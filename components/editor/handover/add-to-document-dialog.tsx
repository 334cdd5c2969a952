'use client';

import { Alert, Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError, UserFacingError } from '@/components/feedback/describe-error';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { FormFailure } from '@/components/form/form-failure';
import { countOf } from '@/components/format/count';
import { Link } from '@/components/shell/link';
import { useUnmountSignal } from '@/hooks/use-unmount-signal';
import type { TemplateImage } from '@/lib/document/templates/template';
import { readDocument } from '../document-calls';
import { documentHref } from '../document-url';
import { useDocuments } from '../documents/use-documents';
import type { MaterialName } from '../pickers/material-pick';
import { type Addition, additionOf, type Destination } from './add-to-document';
import { lastDocument, rememberDocument } from './last-document';
import { notifyAdded } from './notify-added';
import { contentWithSchedule, contentWithSwatches } from './page-content';
import { type SavedAddition, SendError, saveAddition } from './save-addition';

/** What to add to a document: project images, materials, and the title and text for a new page. */
export type HandedOver = {
  title: string;
  text: string;
  images: TemplateImage[];
  materials: MaterialName[];
  /** The option initially selected for the materials of an image. Defaults to swatches. */
  materialsAs?: MaterialsAs;
};

/** How an image's materials are added to its new page. */
type MaterialsAs = 'swatches' | 'schedule' | 'none';
const materialsOptions: { value: MaterialsAs; label: string }[] = [
  { value: 'swatches', label: 'Swatches' },
  { value: 'schedule', label: 'Schedule' },
  { value: 'none', label: 'None' },
];

type AddToDocumentDialogProps = {
  projectId: string;
  /** Null while the dialog is closed. */
  what: HandedOver | null;
  onClose: () => void;
};

/** Dialog that adds images or materials to a new or existing page of one of the project's documents. */
export function AddToDocumentDialog({ projectId, what, onClose }: AddToDocumentDialogProps) {
  return (
    <Modal opened={what !== null} onClose={onClose} title="Add to document">
      {what && <AddToDocument projectId={projectId} what={what} onClose={onClose} />}
    </Modal>
  );
}

const NEW = 'new page';

function addedMessage(choice: string, isSaved: boolean): string {
  const message = choice === NEW ? 'Added as a new page' : 'Added to the page';
  return isSaved ? message : `${message}, but not saved yet`;
}

function notifyFailed(error: unknown): void {
  const title = "Couldn't confirm that it was added to the document";
  notifications.show({ color: 'red', title, message: describeError(error) });
}

type AddToDocumentProps = { what: HandedOver } & Omit<AddToDocumentDialogProps, 'what'>;

/** Form that adds content to a page. Offers a choice of documents if the project has several. */
export function AddToDocument({ projectId, ...props }: AddToDocumentProps) {
  const documents = useDocuments(projectId);
  const [chosen, setChosen] = useState<string | null>(null);
  if (!documents.data) {
    return documents.error === null ? (
      <Skeleton h={96} role="status" aria-label="Loading" />
    ) : (
      <ErrorAlert
        title="The documents could not be loaded"
        error={documents.error}
        onRetry={() => void documents.refetch()}
      />
    );
  }
  const last = lastDocument(projectId, documents.data);
  if (!last) return <Text c="dimmed">All documents of this project are archived.</Text>;
  const documentId = chosen ?? last.id;
  return (
    <Stack gap="md">
      {documents.data.length > 1 && (
        <Select
          label="Document"
          allowDeselect={false}
          searchable={documents.data.length > 10}
          data={documents.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={documentId}
          onChange={(value) => {
            setChosen(value);
            if (value) rememberDocument(projectId, value);
          }}
        />
      )}
      <AddToPage key={documentId} projectId={projectId} documentId={documentId} {...props} />
    </Stack>
  );
}

/** Form that adds content to a page of one document, and then shows the result. */
function AddToPage({ projectId, documentId, what, onClose }: AddToDocumentProps & { documentId: string }) {
  const key = { projectId, documentId };
  const document = useQuery({
    queryKey: ['document', documentId],
    queryFn: ({ signal }) => readDocument(key, signal),
  });
  const [choice, setChoice] = useState(NEW);
  const [materialsAs, setMaterialsAs] = useState(what.materialsAs ?? 'swatches');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // Keep the addition with its ids, so that retrying after a lost response does not add the content twice.
  const [addition, setAddition] = useState<Addition | null>(null);
  const [added, setAdded] = useState<SavedAddition | null>(null);
  const newSignal = useUnmountSignal();

  const { images, materials } = what;
  const isImage = images.length > 0;
  // On an existing page, an image is added without its materials, which would cover other elements.
  const takesMaterials = !isImage || (choice === NEW && materialsAs === 'swatches');
  const hasSchedule = isImage && choice === NEW && materials.length > 0 && materialsAs === 'schedule';
  const change = (next: () => void) => {
    next();
    setAddition(null);
    setError(null);
  };
  const add = async () => {
    const signal = newSignal();
    setBusy(true);
    setError(null);
    try {
      let ready = addition;
      if (!ready) {
        const { content, note } = hasSchedule
          ? await contentWithSchedule(projectId, what, signal)
          : await contentWithSwatches(projectId, what, takesMaterials, signal);
        // The dialog was closed, so add nothing.
        if (signal.aborted) return;
        if (note) notifications.show({ color: 'yellow', message: note });
        ready = additionOf(content);
        setAddition(ready);
      }
      const to: Destination = choice === NEW ? { kind: 'new' } : { kind: 'page', pageId: choice };
      const result = await saveAddition(key, ready, to, signal);
      setAdded(result);
      // The dialog was closed during saving, so show the result in a notification.
      if (signal.aborted) {
        const { pageId, isSaved } = result;
        notifyAdded(addedMessage(choice, isSaved), documentHref(key, pageId), isSaved);
      }
    } catch (error) {
      const wasSent = error instanceof SendError;
      if (!signal.aborted) setError(wasSent ? error.cause : error);
      // After the dialog was closed, report a failure only if the document was sent. The server may then have saved it
      // despite the failure.
      else if (wasSent) notifyFailed(error.cause);
    } finally {
      setBusy(false);
    }
  };

  if (added) {
    const { pageId, isSaved } = added;
    return (
      <Stack gap="md">
        <Alert
          role="status"
          color={isSaved ? 'green' : 'yellow'}
          variant="outline"
          icon={isSaved ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
          title={addedMessage(choice, isSaved)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component={Link} href={documentHref(key, pageId)} data-autofocus onClick={onClose}>
            Open the page
          </Button>
        </Group>
      </Stack>
    );
  }
  if (!document.data) {
    return document.error === null ? (
      <Skeleton h={96} role="status" aria-label="Loading" />
    ) : (
      <ErrorAlert
        title="The document could not be loaded"
        error={document.error}
        onRetry={() => void document.refetch()}
      />
    );
  }
  const pages = document.data.pages.map((page, index) => ({
    value: page.id,
    label: `${index + 1}. ${page.title || 'Untitled page'}`,
  }));
  const newPageLabel = isImage
    ? `New page with the ${images.length > 1 ? 'images' : 'image'}`
    : 'New page with a material schedule';
  return (
    <Stack gap="md">
      <Select
        label="Page"
        allowDeselect={false}
        searchable={pages.length > 10}
        data={[{ value: NEW, label: newPageLabel }, ...pages]}
        value={choice}
        data-autofocus
        onChange={(value) => change(() => setChoice(value ?? NEW))}
      />
      {isImage && choice === NEW && materials.length > 0 && (
        <Select
          label={countOf(materials.length, 'material')}
          allowDeselect={false}
          data={materialsOptions}
          value={materialsAs}
          onChange={(value) => change(() => setMaterialsAs(value ?? 'swatches'))}
        />
      )}
      {error instanceof UserFacingError ? (
        <FormFailure text={error.message} />
      ) : (
        error !== null && (
          <ErrorAlert title="Couldn't add to the document" error={error} onRetry={() => void add()} />
        )
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void add()}>
          Add
        </Button>
      </Group>
    </Stack>
  );
}
