'use client';

import { Button, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { orientation as orientationSchema, pageFormat } from '@/lib/document/schema';
import { sheetSize } from '@/lib/document/sheets';
import { fitPaper, type PaperPatch } from '../fit-paper';
import { formatNames, paperLabel } from '../paper-label';
import { useEditorContext, usePaper } from '../use-editor';
import { PaperDialog } from './paper-dialog';

/** Fields for the paper size. A dialog asks for a custom size, and whether to scale the elements in the document. */
export function PaperFields() {
  const { store, canEdit } = useEditorContext();
  const { format, orientation, customSize } = usePaper();
  const [requested, setRequested] = useState<PaperPatch | null>(null);
  const change = (patch: Partial<PaperPatch>) => {
    const { document } = store.get();
    const current = { format, orientation, customSize };
    // A custom size starts as the current paper size.
    const size = patch.format === 'custom' ? sheetSize(current) : customSize;
    const paper = { ...current, customSize: size, ...patch };
    const hasElements = [...document.masters, ...document.pages].some(({ elements }) => elements.length > 0);
    if (hasElements || paper.format === 'custom') setRequested(paper);
    else store.dispatch({ type: 'document-changed', patch: fitPaper(document, paper, false) });
  };
  return (
    <>
      <Select
        size="xs"
        label="Paper"
        value={format}
        disabled={!canEdit}
        allowDeselect={false}
        data={pageFormat.options.map((value) => ({ value, label: formatNames[value] }))}
        onChange={(value) => change({ format: pageFormat.parse(value) })}
      />
      {format === 'custom' && (
        <Button size="xs" variant="default" disabled={!canEdit} onClick={() => change({})}>
          {paperLabel({ format, orientation, customSize })}: change…
        </Button>
      )}
      {format !== 'custom' && format !== 'square' && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Orientation"
          value={orientation}
          disabled={!canEdit}
          data={[
            { value: 'portrait', label: 'Portrait' },
            { value: 'landscape', label: 'Landscape' },
          ]}
          onChange={(value) => change({ orientation: orientationSchema.parse(value) })}
        />
      )}
      <PaperDialog requested={requested} onClose={() => setRequested(null)} />
    </>
  );
}
