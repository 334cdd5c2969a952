'use client';

import { Select, Switch } from '@mantine/core';
import { type ExportOptions, orientation, pageFormat } from '@/lib/document/schema';
import { formatNames } from '../paper-label';
import { useEditor } from '../use-editor';
import classes from './export.module.css';

const orientationLabels = { portrait: 'Portrait', landscape: 'Landscape' };

type PrintOptionsProps = { value: ExportOptions; onChange: (options: ExportOptions) => void };

/** Shows form fields for paper, orientation, cover and table of contents. */
export function PrintOptions({ value, onChange }: PrintOptionsProps) {
  // Offer a custom size only if the document has one, because this form has no fields to enter a size.
  const hasCustomSize = useEditor(({ document }) => document.format === 'custom');
  return (
    <div className={classes.options}>
      <Select
        label="Paper"
        allowDeselect={false}
        data={pageFormat.options
          .filter((format) => format !== 'custom' || value.format === 'custom' || hasCustomSize)
          .map((format) => ({ value: format, label: formatNames[format] }))}
        value={value.format}
        onChange={(format) => onChange({ ...value, format: pageFormat.parse(format) })}
      />
      <Select
        label="Orientation"
        allowDeselect={false}
        data={orientation.options.map((way) => ({ value: way, label: orientationLabels[way] }))}
        disabled={value.format === 'custom' || value.format === 'square'}
        value={value.orientation}
        onChange={(way) => onChange({ ...value, orientation: orientation.parse(way) })}
      />
      <Switch
        label="Cover"
        checked={value.includecover}
        onChange={(event) => onChange({ ...value, includecover: event.currentTarget.checked })}
      />
      <Switch
        label="Table of contents"
        checked={value.includeToc}
        onChange={(event) => onChange({ ...value, includeToc: event.currentTarget.checked })}
      />
    </div>
  );
}
