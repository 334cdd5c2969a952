'use client';

import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPhotoOff, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { useOnline } from '@/hooks/use-online';
import { withViews } from '@/lib/document/image-views';
import { exportOptions, type ProjectDocument, sheetOptionsOf } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import type { KeptVersion } from '@/lib/export/schema';
import { readDocumentImages } from '../document-calls';
import { needsCjk, useCjkFonts } from '../fonts/use-cjk-fonts';
import { useEditorContext } from '../use-editor';
import { keysOfDocument } from '../use-loaded-images';
import classes from './history.module.css';
import { readVersion } from './version-calls';
import { VersionName } from './version-name';
import { VersionSheet } from './version-sheet';

type VersionPreviewProps = {
  versionId: string;
  /** The version's list entry; undefined until the list has loaded it. */
  listed: KeptVersion | undefined;
  onName: (name: string | null) => Promise<void>;
  /** Restores the pages in `pageIds`. If `pageIds` is null, restores the whole version. */
  onRestore: (version: ProjectDocument, pageIds: string[] | null) => Promise<void>;
};

/** Shows the sheets of a version, with buttons that restore a single page or the whole version. */
export function VersionPreview({ versionId, ...props }: VersionPreviewProps) {
  const { projectId, documentId } = useEditorContext();
  const read = useQuery({
    queryKey: ['document-version', documentId, versionId],
    queryFn: async ({ signal }) => {
      const version = await readVersion({ projectId, documentId }, versionId, signal);
      const keys = keysOfDocument(version);
      const images = keys.length === 0 ? new Map() : await readDocumentImages(projectId, keys, signal);
      return { version, images, missing: keys.filter((key) => !images.has(key)).length };
    },
    structuralSharing: false,
  });
  if (read.data) return <Version {...props} {...read.data} />;
  if (read.error) {
    return (
      <ErrorAlert
        title="The version could not be loaded"
        error={read.error}
        onRetry={() => void read.refetch()}
      />
    );
  }
  return <Skeleton h="20rem" role="status" aria-label="Loading version" />;
}

type VersionProps = Omit<VersionPreviewProps, 'versionId'> & {
  version: ProjectDocument;
  images: Awaited<ReturnType<typeof readDocumentImages>>;
  /** The number of images that no longer exist. */
  missing: number;
};

function Version({ version, images, missing, listed, onName, onRestore }: VersionProps) {
  const { projectId, projectName, canEdit } = useEditorContext();
  const online = useOnline();
  useCjkFonts(needsCjk(version, projectName));
  const [busy, setBusy] = useState(false);
  const plan = useMemo(
    () => planSheets(version, projectName, exportOptions.parse(sheetOptionsOf(version))),
    [version, projectName],
  );
  const views = useMemo(() => withViews(projectId, images), [projectId, images]);
  const restore = async (pageIds: string[] | null) => {
    setBusy(true);
    try {
      await onRestore(version, pageIds);
    } catch (error) {
      showError('The version could not be restored', error);
      setBusy(false);
    }
  };
  const offer = { disabled: !online || busy, leftSection: <IconRestore size={16} stroke={1.6} /> };
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h4" className={classes.name}>
          {listed?.name ?? `Version ${version.version}`}
        </Title>
        {canEdit && (
          <Group gap="sm" align="end">
            {listed && <VersionName key={listed.id} name={listed.name} onSave={onName} />}
            <Button size="xs" {...offer} onClick={() => void restore(null)}>
              Restore all
            </Button>
          </Group>
        )}
      </Group>
      {!online && <Text size="sm">You are offline. Reconnect to restore a version.</Text>}
      {missing > 0 && (
        <Alert color="yellow" variant="outline" icon={<IconPhotoOff size={20} />}>
          {countOf(missing, 'image')} of this version no longer {missing === 1 ? 'exists' : 'exist'}. Frames
          without an image stay empty.
        </Alert>
      )}
      {plan.sheets.length === 0 && (
        <Text size="sm" c="dimmed">
          This version has no pages.
        </Text>
      )}
      <ol className={classes.sheets} aria-label="Pages">
        {plan.sheets.map((sheet) => (
          <li key={sheet.number}>
            <VersionSheet sheet={sheet} size={plan.size} images={views} />
            <Group justify="space-between" gap="xs" mt={6} mih={30}>
              <Text size="sm" className={classes.name}>
                {sheet.number}{' '}
                {sheet.kind === 'page' ? sheet.title : sheet.kind === 'cover' ? 'Cover' : 'Contents'}
              </Text>
              {canEdit && sheet.kind === 'page' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={offer.disabled}
                  aria-label={`Restore page ${sheet.number}`}
                  onClick={() => void restore([sheet.page.id])}
                >
                  Restore page
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ol>
    </Stack>
  );
}
