'use client';

import { Select, Stack, Switch } from '@mantine/core';
import { type ExportOptions, exportQuality } from '@/lib/document/schema';
import classes from './export.module.css';

const qualityLabels = {
  screen: 'Screen, 110 dpi (smallest file)',
  print: 'Print, 200 dpi',
  archive: 'Archive, 300 dpi (largest file)',
};
const bleeds = [0, 2, 3, 5];

type PrintShopOptionsProps = { value: ExportOptions; onChange: (options: ExportOptions) => void };

/** Shows form fields for image quality, print shops, archiving and the embedded document. */
export function PrintShopOptions({ value, onChange }: PrintShopOptionsProps) {
  return (
    <Stack gap="md">
      <div className={classes.options}>
        <Select
          label="Images"
          allowDeselect={false}
          data={exportQuality.options.map((quality) => ({ value: quality, label: qualityLabels[quality] }))}
          value={value.quality}
          onChange={(quality) => onChange({ ...value, quality: exportQuality.parse(quality) })}
        />
        <Select
          label="Bleed"
          allowDeselect={false}
          data={bleeds.map((mm) => ({ value: String(mm), label: mm === 0 ? 'None' : `${mm} mm` }))}
          value={String(value.bleed)}
          onChange={(mm) => onChange({ ...value, bleed: Number(mm) })}
        />
        <Switch
          label="Crop marks"
          checked={value.cropMarks}
          onChange={(event) => onChange({ ...value, cropMarks: event.currentTarget.checked })}
        />
        <Switch
          label="Pure black text"
          checked={value.pureBlack}
          onChange={(event) => onChange({ ...value, pureBlack: event.currentTarget.checked })}
        />
        <Switch
          label="Archive standard (PDF/A-2a)"
          checked={value.pdfA}
          onChange={(event) => onChange({ ...value, pdfA: event.currentTarget.checked })}
        />
      </div>
      <Switch
        label="Include the editable document"
        description={
          value.pdfA
            ? 'PDF/A-2a does not allow embedded files.'
            : 'Lets you open the PDF in the editor again. It then contains prompts and seeds, so turn this off for clients.'
        }
        disabled={value.pdfA}
        checked={value.embedDocument && !value.pdfA}
        onChange={(event) => onChange({ ...value, embedDocument: event.currentTarget.checked })}
      />
    </Stack>
  );
}
