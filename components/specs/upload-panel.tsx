'use client';

import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileTypePdf } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useEarlyLoad } from '@/components/feedback/on-demand';
import { FilePicker } from '@/components/files/file-picker';
import { FileZone } from '@/components/files/file-zone';
import { PageDropHint } from '@/components/files/page-drop-hint';
import { usePageDrop } from '@/components/files/use-page-drop';
import { formatBytes } from '@/components/format/bytes';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { MAX_SPEC_BYTES } from '@/lib/specs/size-limit';
import type { KnownNames } from './guess-facts';
import { useUploadState, useUploads } from './upload-queue-provider';
import { useKnownNames } from './use-known-names';

const loadTable = () => import('./upload-table').then((file) => file.UploadTable);
const UploadTable = dynamic(loadTable);

/**
 * Shows a drop zone, buttons for choosing PDFs or a folder, and the table of files to upload. PDFs and folders can be
 * dropped anywhere on the page.
 */
export function UploadPanel(known: KnownNames) {
  const { add } = useUploads();
  const { items } = useUploadState();
  const { names, create } = useKnownNames(known);
  // Removing the last file removes the table with the focused button. The focus then moves to this section.
  const keptFocus = useKeptFocus<HTMLDivElement>();
  // Load the code of the table early, so that the table appears as soon as files are chosen.
  useEarlyLoad(loadTable);
  const addFiles = (files: File[]) => {
    if (files.length > 0 && add(files, names) === 0) {
      notifications.show({ message: 'There are no PDFs in this folder.' });
    }
  };
  const isDropping = usePageDrop(addFiles);
  const variant = items.length > 0 ? 'default' : 'filled';

  return (
    <Stack component="section" gap="md" aria-label="Upload specs" tabIndex={-1} {...keptFocus}>
      <FileZone
        onFiles={addFiles}
        multiple
        label="Drop PDFs here"
        inputLabel="Choose PDFs"
        accept="application/pdf,.pdf"
      >
        {(openFiles) => (
          <>
            <IconFileTypePdf size={24} stroke={1.5} aria-hidden="true" />
            <Text size="sm" flex="1 1 12rem">
              Drop spec PDFs or folders anywhere on this page. Up to {formatBytes(MAX_SPEC_BYTES)} each.
            </Text>
            <FilePicker
              multiple
              // React has no type for this attribute, which lets the user choose a folder.
              inputProps={{ 'aria-label': 'Choose folder', ...{ webkitdirectory: '' } }}
              onFiles={addFiles}
            >
              {({ onClick }) => (
                <Button variant="default" onClick={onClick}>
                  Choose folder
                </Button>
              )}
            </FilePicker>
            <Button variant={variant} onClick={openFiles}>
              Choose PDFs
            </Button>
          </>
        )}
      </FileZone>
      {items.length > 0 && <UploadTable names={names} onCreate={create} />}
      <PageDropHint isShown={isDropping}>Drop PDFs or folders to upload them</PageDropHint>
    </Stack>
  );
}
