'use client';

import { Input, SegmentedControl, SimpleGrid } from '@mantine/core';
import type { TextElement } from '@/lib/export/document/page-model';
import { ColorField, NumberField } from './fields';
import { useElementFields } from './use-element-fields';

/** The looks of whole texts; bold, links and the like belong to the words themselves. */
export function TextFields({ elements }: { elements: readonly TextElement[] }) {
  const { value, change, disabled } = useElementFields(elements);
  return (
    <>
      <SimpleGrid cols={2} spacing="xs">
        <NumberField
          label="Size"
          value={value('fontSize')}
          min={4}
          max={400}
          unit="pt"
          disabled={disabled}
          onChange={(fontSize) => change({ fontSize })}
        />
        <NumberField
          label="Line height"
          value={value('lineHeight')}
          min={0.8}
          max={4}
          step={0.1}
          disabled={disabled}
          onChange={(lineHeight) => change({ lineHeight })}
        />
        <ColorField
          label="Colour"
          value={value('color')}
          disabled={disabled}
          onChange={(color) => change({ color })}
        />
        <ColorField
          label="Ground"
          optional
          value={value('fill')}
          disabled={disabled}
          onChange={(fill) => change({ fill })}
        />
        <NumberField
          label="Padding"
          value={value('padding')}
          min={0}
          max={100}
          step={0.5}
          unit="mm"
          disabled={disabled}
          onChange={(padding) => change({ padding })}
        />
      </SimpleGrid>
      <Input.Wrapper label="Alignment" size="xs" labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Alignment"
          value={value('align') ?? ''}
          disabled={disabled}
          data={[
            { value: 'left', label: 'Left' },
            { value: 'center', label: 'Centre' },
            { value: 'right', label: 'Right' },
            { value: 'justify', label: 'Justify' },
          ]}
          onChange={(align) => change({ align })}
        />
      </Input.Wrapper>
      <Input.Wrapper label="Within the frame" size="xs" labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Within the frame"
          value={value('valign') ?? ''}
          disabled={disabled}
          data={[
            { value: 'top', label: 'Top' },
            { value: 'middle', label: 'Middle' },
            { value: 'bottom', label: 'Bottom' },
          ]}
          onChange={(valign) => change({ valign })}
        />
      </Input.Wrapper>
    </>
  );
}
