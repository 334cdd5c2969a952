'use client';

import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileTypePdf } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useEffect, useRef } from 'react';
import { whenUsed } from '@/components/feedback/on-demand';
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

/** Shows where to drop or choose PDFs, and the table of files to upload. PDFs can be dropped anywhere on the page. */
export function UploadPanel(known: KnownNames) {
  const { add } = useUploads();
  const { items } = useUploadState();
  const { names, create } = useKnownNames(known);
  const folderInput = useRef<HTMLInputElement>(null);
  const section = useRef<HTMLDivElement>(null);
  // Removing the last file removes the table with the focused button.
  const keptFocus = useKeptFocus(section);
  // Load the code of the table early, so that it appears as soon as files are chosen.
  useEffect(() => whenUsed(() => void loadTable().catch(() => undefined)), []);
  const addFiles = (files: File[]) => {
    if (files.length > 0 && add(files, names) === 0) {
      notifications.show({ message: 'There are no PDFs in this folder.' });
    }
  };
  const isDropping = usePageDrop(addFiles);
  const variant = items.length > 0 ? 'default' : 'filled';

  return (
    <Stack component="section" gap="md" aria-label="Upload specs" ref={section} tabIndex={-1} {...keptFocus}>
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
            <Button variant="default" onClick={() => folderInput.current?.click()}>
              Choose folder
            </Button>
            <Button variant={variant} onClick={openFiles}>
              Choose PDFs
            </Button>
          </>
        )}
      </FileZone>
      <input
        ref={folderInput}
        type="file"
        // React has no type for this attribute, which lets the user choose a folder.
        {...{ webkitdirectory: '' }}
        hidden
        aria-label="Choose folder"
        onChange={({ currentTarget }) => {
          addFiles([...(currentTarget.files ?? [])]);
          // The same folder can be chosen again.
          currentTarget.value = '';
        }}
      />
      {items.length > 0 && <UploadTable names={names} onCreate={create} />}
      <PageDropHint isShown={isDropping}>Drop PDFs or folders to upload them</PageDropHint>
    </Stack>
  );
}
