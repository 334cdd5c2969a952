'use client';

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { UserFacingError } from '@/components/feedback/describe-error';
import { usePages } from '@/hooks/use-pages';
import { withRestored } from '@/lib/document/restore-version';
import { projectDocument } from '@/lib/document/schema';
import { readDocumentVersion } from '../document-calls';
import { contentOf } from '../editor-change';
import { useEditorContext } from '../use-editor';
import classes from './history.module.css';
import { keepVersion, nameVersion, readDocumentVersions } from './version-calls';
import { VersionList } from './version-list';
import { VersionName } from './version-name';
import { VersionPreview } from './version-preview';

type HistoryDialogProps = {
  opened: boolean;
  /** The version to show first, or null to show only the list. */
  initialId: string | null;
  onClose: () => void;
  /** Called when a version is about to be restored in the editor. */
  onRestored: () => void;
  /** Saves pending changes. Needed because only a saved version can be named or kept. */
  flush: () => Promise<void>;
};

/** Lists the kept versions of the document. Users can view, name and restore them. */
export function HistoryDialog({ opened, onClose, ...props }: HistoryDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} fullScreen title="History">
      <History {...props} />
    </Modal>
  );
}

function History({ initialId, onRestored, flush }: Omit<HistoryDialogProps, 'opened' | 'onClose'>) {
  const { store, projectId, documentId, canEdit } = useEditorContext();
  const key = { projectId, documentId };
  const [openId, setOpenId] = useState(initialId);
  const list = usePages({
    queryKey: ['document-versions', documentId],
    read: async (cursor, signal) => {
      const { versions, nextCursor } = await readDocumentVersions(key, cursor, signal);
      return { items: versions, nextCursor };
    },
  });
  const listed = list.items?.find(({ id }) => id === openId);

  /** Saves pending changes and keeps the result as a version. If `name` is given, the version gets this name. */
  const keepCurrent = async (name?: string) => {
    await flush();
    const { version } = await readDocumentVersion(key);
    // A document that was never saved has nothing to keep.
    if (version > 0) await keepVersion(key, version, name);
  };

  return (
    <div className={classes.history} data-open={openId !== null}>
      <Stack gap="md" className={classes.list}>
        {canEdit && (
          <Group justify="space-between" gap="sm">
            <Text size="sm" fw={600}>
              Current version
            </Text>
            <VersionName
              name={null}
              onSave={async (name) => {
                if (name === null) return;
                await keepCurrent(name);
                await list.reload();
              }}
            />
          </Group>
        )}
        <VersionList list={list} openId={openId} onOpen={setOpenId} />
      </Stack>
      <div className={classes.preview}>
        {openId === null ? (
          <Text c="dimmed">Choose a version to see its pages.</Text>
        ) : (
          <>
            <Button
              className={classes.back}
              variant="subtle"
              size="xs"
              mb="sm"
              leftSection={<IconArrowLeft size={16} stroke={1.6} />}
              onClick={() => setOpenId(null)}
            >
              All versions
            </Button>
            <VersionPreview
              key={openId}
              versionId={openId}
              listed={listed}
              onName={async (name) => {
                await nameVersion(key, openId, name);
                await list.reload();
              }}
              onRestore={async (version, pageIds) => {
                await keepCurrent();
                const restored = withRestored(store.get().document, contentOf(version), pageIds);
                // Restoring a deleted page can take the document over a limit. The server would then reject it.
                const { error } = projectDocument.omit({ version: true }).safeParse(restored);
                if (error) throw new UserFacingError(error.issues[0]?.message);
                onRestored();
                const message = pageIds === null ? 'The version was restored.' : 'The page was restored.';
                store.dispatch({ type: 'document-replaced', document: restored, message });
                const [pageId] = pageIds ?? [];
                if (pageId !== undefined) store.dispatch({ type: 'page-opened', pageId, selected: [] });
                notifications.show({ message: `${message} You can undo this.` });
              }}
            />
          </>
        )}
      </div>
    </div>
  );
}
