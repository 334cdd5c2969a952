'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileTypePdf } from '@tabler/icons-react';
import Link from 'next/link';
import { useRef } from 'react';
import { formatBytes } from '@/components/format/bytes';
import { MAX_SPEC_BYTES } from '@/lib/specs/schema';
import classes from './upload-panel.module.css';
import { useUploads } from './upload-queue-provider';
import { UploadTray } from './upload-tray';

/** Where PDFs are dropped or chosen, and the tray that they land in. */
export function UploadPanel({ brands, areas }: { brands: string[]; areas: string[] }) {
  const { add, items } = useUploads();
  const openPicker = useRef<() => void>(null);

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
      {/* No `accept` and no `maxSize`: a file that cannot be sent is shown with its reason, not swallowed. */}
      <Dropzone
        onDrop={add}
        openRef={openPicker}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        tabIndex={-1}
        role="group"
        aria-label="Drop PDFs here"
        className={classes.zone}
        inputProps={{ accept: 'application/pdf,.pdf', 'aria-label': 'Choose PDFs', tabIndex: -1 }}
      >
        <div className={classes.inner}>
          <IconFileTypePdf size={36} stroke={1.3} aria-hidden="true" />
          <div className={classes.words}>
            <Text fw={600}>Drop spec PDFs here</Text>
            <Text size="sm" c="dimmed">
              As many as you like, up to {formatBytes(MAX_SPEC_BYTES)} each.
            </Text>
          </div>
          <Button variant={items.length > 0 ? 'default' : 'filled'} onClick={() => openPicker.current?.()}>
            Choose PDFs
          </Button>
        </div>
      </Dropzone>
      {items.length > 0 && <UploadTray brands={brands} areas={areas} />}
    </Stack>
  );
}
