'use client';

import { SimpleGrid, Switch } from '@mantine/core';
import type { TextElement } from '@/lib/document/page-model';
import { FontSelect } from '../fonts/font-select';
import { ChoiceField, textAlignments, verticalAlignments } from './choice-field';
import { ColorField, NumberField } from './fields';
import { StyleField } from './style-field';
import { FontSizeField, LineHeightField, TrackingField } from './typography-numbers';
import { useElementFields } from './use-element-fields';

/** Fields for the styles of whole text elements. Parts of a text are formatted in the text editor. */
export function TextFields({ elements }: { elements: readonly TextElement[] }) {
  const { value, field, colorField, change, disabled } = useElementFields(elements);
  return (
    <>
      <StyleField elements={elements} disabled={disabled} />
      <FontSelect label="Font" {...field('font')} />
      <SimpleGrid cols={2} spacing="xs">
        <FontSizeField {...field('fontSize')} />
        <LineHeightField {...field('lineHeight')} />
        <ColorField label="Color" {...colorField('color')} />
        <ColorField label="Fill" optional {...colorField('fill')} />
        <TrackingField
          {...field('tracking')}
          value={elements.every(({ tracking }) => !tracking) ? 0 : value('tracking')}
        />
        <NumberField label="Padding" min={0} max={100} step={0.5} unit="mm" {...field('padding')} />
      </SimpleGrid>
      <Switch
        size="xs"
        label="Bold"
        checked={value('bold') ?? false}
        disabled={disabled}
        onChange={(event) => change({ bold: event.currentTarget.checked })}
      />
      <Switch
        size="xs"
        label="Hyphenation"
        checked={value('hyphenate') ?? false}
        disabled={disabled}
        onChange={(event) => change({ hyphenate: event.currentTarget.checked })}
      />
      <Switch
        size="xs"
        label="Grow with the text"
        checked={elements.every(({ grows }) => grows)}
        disabled={disabled}
        onChange={(event) => change({ grows: event.currentTarget.checked })}
      />
      <ChoiceField label="Alignment" choices={textAlignments} {...field('align')} />
      <ChoiceField label="Vertical alignment" choices={verticalAlignments} {...field('valign')} />
    </>
  );
}
