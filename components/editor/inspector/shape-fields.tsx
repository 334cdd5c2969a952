'use client';

import { SegmentedControl, SimpleGrid } from '@mantine/core';
import type { ShapeElement } from '@/lib/document/page-model';
import { ColorField, NumberField } from './fields';
import { useElementFields } from './use-element-fields';

export function ShapeFields({ elements }: { elements: readonly ShapeElement[] }) {
  const { value, field, colorField, change, disabled } = useElementFields(elements);
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Shape"
        value={value('kind') ?? ''}
        disabled={disabled}
        data={[
          { value: 'rect', label: 'Rectangle' },
          { value: 'ellipse', label: 'Ellipse' },
          { value: 'line', label: 'Line' },
        ]}
        onChange={(kind) => change({ kind })}
      />
      <SimpleGrid cols={2} spacing="xs">
        <ColorField label="Fill" optional {...colorField('fill')} />
        <ColorField label="Line color" optional {...colorField('stroke')} />
        <NumberField label="Line width" min={0} max={50} step={0.1} unit="mm" {...field('strokeWidth')} />
        {value('kind') === 'rect' && (
          <NumberField label="Corner radius" min={0} max={1000} unit="mm" {...field('radius')} />
        )}
      </SimpleGrid>
    </>
  );
}
