'use client';

import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Spec } from '@/lib/specs/schema';
import { SectionsPanel } from '../sections/sections-panel';
import { readSpec } from '../spec-calls';
import { PdfReader, type ReaderTarget } from './pdf-reader';
import classes from './spec-reader.module.css';

type SpecReaderProps = { spec: Spec; initialPage: number; initialSearch: string; onDownload: () => void };

/** Shows the PDF of a spec with its sections, which link to their pages. */
export function SpecReader({ spec, initialPage, initialSearch, onDownload }: SpecReaderProps) {
  const [target, setTarget] = useState<ReaderTarget>({ page: initialPage });
  const [side, setSide] = useState('sections');
  const { specUploadId, url, sizeBytes } = spec;
  const renewUrl = async () => (await readSpec(specUploadId)).url;

  return (
    <PdfReader
      source={{ url, sizeBytes, renewUrl }}
      initialSearch={initialSearch}
      target={target}
      onDownload={onDownload}
      renderSide={(thumbnails) => (
        <div className={classes.side}>
          <SegmentedControl
            aria-label="Side panel"
            size="xs"
            fullWidth
            value={side}
            onChange={setSide}
            data={[
              { value: 'sections', label: 'Sections' },
              { value: 'pages', label: 'Pages' },
            ]}
          />
          <div className={classes.content}>
            {side === 'pages' ? (
              thumbnails
            ) : (
              <SectionsPanel spec={spec} onGoTo={(page) => setTarget({ page })} />
            )}
          </div>
        </div>
      )}
    />
  );
}
