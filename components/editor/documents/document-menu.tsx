'use client';

import { Button, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCheck,
  IconChevronDown,
  IconCopy,
  IconFolderOpen,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { onDemand } from '@/components/feedback/on-demand';
import { showError } from '@/components/feedback/show-error';
import { Link } from '@/components/shell/link';
import { createSubmitOnce } from '@/hooks/submit-once';
import type { DocumentSummary } from '@/lib/export/documents/schema';
import { documentHref } from '../document-url';
import type { Naming } from './document-name-dialog';
import classes from './documents.module.css';
import { createDocument, renameDocument } from './documents-calls';
import type { DocumentChanges } from './use-document-changes';
import { useDocuments } from './use-documents';

const ArchivedDocumentsDialog = onDemand(
  () => import('./archived-documents-dialog').then((file) => file.ArchivedDocumentsDialog),
  { opened: false },
);
const DocumentNameDialog = onDemand(
  () => import('./document-name-dialog').then((file) => file.DocumentNameDialog),
  { naming: null },
);

type DocumentMenuProps = {
  projectId: string;
  /** The document that is open. */
  document: DocumentSummary;
  /** Whether the user may change the content of the project. */
  canEdit: boolean;
  changes: DocumentChanges;
  onChanged: () => unknown;
  /** Saves pending changes. */
  flush: () => Promise<void>;
};

const icon = { size: 16, stroke: 1.6 } as const;

/** Shows the name of the open document, with a menu that opens, creates and manages the documents of the project. */
export function DocumentMenu(props: DocumentMenuProps) {
  const { projectId, document, canEdit, changes, onChanged, flush } = props;
  const router = useRouter();
  const { data: documents = [] } = useDocuments(projectId);
  const [submitOnce] = useState(createSubmitOnce);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [putAway, setPutAway] = useState(false);
  const hrefOf = (documentId: string) => documentHref({ projectId, documentId });
  const key = { projectId, documentId: document.id };

  const create = (title: string, initial: string, copyOf?: string) =>
    setNaming({
      title,
      initial,
      action: 'Create',
      onSave: async (name) => {
        if (copyOf !== undefined) await flush();
        const { id } = await submitOnce(JSON.stringify([name, copyOf]), (idempotencyKey) =>
          createDocument(projectId, name, { copyOf, idempotencyKey }),
        );
        setNaming(null);
        router.push(hrefOf(id));
      },
    });
  const rename = () =>
    setNaming({
      title: 'Rename document',
      initial: document.name,
      action: 'Rename',
      onSave: async (name) => {
        await renameDocument(key, name);
        setNaming(null);
        await onChanged();
      },
    });
  const saved = async (then: () => Promise<unknown>) => {
    try {
      await flush();
    } catch (error) {
      return showError('The document could not be saved', error);
    }
    await then();
  };
  const askToDelete = () =>
    askToConfirm({
      title: 'Delete this document?',
      text: (
        <>
          <strong>{document.name}</strong> can be restored for 30 days. Its share links stop working.
        </>
      ),
      action: 'Delete',
      onConfirm: () =>
        void saved(async () => {
          if (await changes.remove(document)) router.push(documentHref({ projectId }));
        }),
    });

  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.target}
            rightSection={<IconChevronDown {...icon} />}
            aria-label={`Document: ${document.name}`}
          >
            {document.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.list}>
            {documents.map(({ id, name }) => (
              <Menu.Item
                key={id}
                component={Link}
                href={hrefOf(id)}
                className={classes.name}
                aria-current={id === document.id ? 'page' : undefined}
                leftSection={id === document.id ? <IconCheck {...icon} /> : <span style={{ width: 16 }} />}
              >
                {name}
              </Menu.Item>
            ))}
          </div>
          <Menu.Divider />
          {canEdit && (
            <>
              <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => create('New document', '')}>
                New document
              </Menu.Item>
              <Menu.Item
                leftSection={<IconCopy {...icon} />}
                onClick={() =>
                  create(
                    'Duplicate document',
                    [...`Copy of ${document.name}`].slice(0, 120).join(''),
                    document.id,
                  )
                }
              >
                Duplicate
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={rename}>
                Rename
              </Menu.Item>
              {document.archivedAt === null ? (
                <Menu.Item
                  leftSection={<IconArchive {...icon} />}
                  onClick={() => void saved(() => changes.archive(document))}
                >
                  Archive
                </Menu.Item>
              ) : (
                <Menu.Item
                  leftSection={<IconArchiveOff {...icon} />}
                  onClick={() => void changes.unarchive(document)}
                >
                  Unarchive
                </Menu.Item>
              )}
              {!document.isMain && (
                <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={askToDelete}>
                  Delete
                </Menu.Item>
              )}
              <Menu.Divider />
            </>
          )}
          <Menu.Item leftSection={<IconFolderOpen {...icon} />} onClick={() => setPutAway(true)}>
            Archived and deleted
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DocumentNameDialog naming={naming} onClose={() => setNaming(null)} />
      <ArchivedDocumentsDialog
        projectId={projectId}
        canEdit={canEdit}
        changes={changes}
        opened={putAway}
        onClose={() => setPutAway(false)}
      />
    </>
  );
}
