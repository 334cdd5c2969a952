'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { DropZone } from '@/components/files/drop-zone';
import { formatBytes } from '@/components/format/bytes';
import { Link } from '@/components/shell/link';
import { MAX_SPEC_BYTES } from '@/lib/specs/schema';
import classes from './upload-panel.module.css';
import { useUploads } from './upload-queue-provider';
import { UploadTray } from './upload-tray';

/** Shows the drop zone for PDFs and the list of files to upload. */
export function UploadPanel({ brands, areas }: { brands: string[]; areas: string[] }) {
  const { add, items } = useUploads();

  if (brands.length === 0 || areas.length === 0) {
    const missing = [brands.length === 0 && 'brand', areas.length === 0 && 'area']
      .filter(Boolean)
      .join(' and one ');
    return (
      <Alert color="aubergine" variant="outline" title="Before the first upload">
        A spec belongs to a brand and an area. Add at least one {missing} under{' '}
        <Link href="/admin/catalogue">Brands and areas</Link>.
      </Alert>
    );
  }

  return (
    <Stack component="section" gap="md" aria-label="Upload specs">
      <DropZone
        onDrop={add}
        label="Drop PDFs here"
        inputLabel="Choose PDFs"
        accept="application/pdf,.pdf"
        size="lg"
      >
        {(openFiles) => (
          <>
            <IconFileTypePdf size={36} stroke={1.3} aria-hidden="true" />
            <div className={classes.words}>
              <Text fw={600}>Drop spec PDFs here</Text>
              <Text size="sm" c="dimmed">
                Any number of PDFs, up to {formatBytes(MAX_SPEC_BYTES)} each
              </Text>
            </div>
            <Button variant={items.length > 0 ? 'default' : 'filled'} onClick={openFiles}>
              Choose PDFs
            </Button>
          </>
        )}
      </DropZone>
      {items.length > 0 && <UploadTray brands={brands} areas={areas} />}
    </Stack>
  );
}
