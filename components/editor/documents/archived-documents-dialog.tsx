'use client';

import { Anchor, Button, Modal, Stack, Text, Title } from '@mantine/core';
import { ListFrame } from '@/components/feedback/list-frame';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { RelativeTime } from '@/components/format/relative-time';
import { Link } from '@/components/shell/link';
import { useOnline } from '@/hooks/use-online';
import { documentHref } from '../document-url';
import classes from './documents.module.css';
import type { DocumentChanges } from './use-document-changes';
import { useDocuments } from './use-documents';

type ArchivedDocumentsDialogProps = {
  projectId: string;
  canEdit: boolean;
  changes: DocumentChanges;
  opened: boolean;
  onClose: () => void;
};

/**
 * Lists a project's archived and deleted documents. Archived documents can be opened or unarchived. Deleted documents
 * can be restored.
 */
export function ArchivedDocumentsDialog({ opened, onClose, ...props }: ArchivedDocumentsDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Archived and deleted documents">
      <ArchivedDocuments {...props} onClose={onClose} />
    </Modal>
  );
}

function ArchivedDocuments({
  projectId,
  canEdit,
  changes,
  onClose,
}: Omit<ArchivedDocumentsDialogProps, 'opened'>) {
  const archived = useDocuments(projectId, 'archived');
  const deleted = useDocuments(projectId, 'deleted');
  const online = useOnline();
  return (
    <Stack gap="lg">
      {!online && <OfflineBanner />}
      <section>
        <Title order={3} size="h5" mb="xs">
          Archived
        </Title>
        <ListFrame
          list={{
            loading: archived.isFetching,
            error: archived.error,
            reload: () => void archived.refetch(),
          }}
          items={archived.data ?? null}
          label="Archived documents"
          empty="No archived documents."
        >
          {(document) => (
            <li key={document.id} className={classes.row}>
              <Anchor
                component={Link}
                href={documentHref({ projectId, documentId: document.id })}
                onClick={onClose}
              >
                {document.name}
              </Anchor>
              {canEdit && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Unarchive ${document.name}`}
                  onClick={() => void changes.unarchive(document)}
                >
                  Unarchive
                </Button>
              )}
            </li>
          )}
        </ListFrame>
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">
          Deleted
        </Title>
        <ListFrame
          list={{ loading: deleted.isFetching, error: deleted.error, reload: () => void deleted.refetch() }}
          items={deleted.data ?? null}
          label="Deleted documents"
          empty="No deleted documents."
        >
          {(document) => (
            <li key={document.id} className={classes.row}>
              <div>
                <Text>{document.name}</Text>
                {document.restorableUntil !== null && (
                  <Text size="sm" c="dimmed">
                    Deleted permanently <RelativeTime iso={document.restorableUntil} />
                  </Text>
                )}
              </div>
              {canEdit && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Restore ${document.name}`}
                  onClick={() => void changes.restore(document)}
                >
                  Restore
                </Button>
              )}
            </li>
          )}
        </ListFrame>
      </section>
    </Stack>
  );
}
