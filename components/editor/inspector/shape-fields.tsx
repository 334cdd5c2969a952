'use client';

import { SegmentedControl, SimpleGrid } from '@mantine/core';
import type { ShapeElement } from '@/lib/export/document/page-model';
import { ColorField, NumberField } from './fields';
import { useElementFields } from './use-element-fields';

export function ShapeFields({ elements }: { elements: readonly ShapeElement[] }) {
  const { value, change, disabled } = useElementFields(elements);
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
        <ColorField
          label="Fill"
          optional
          value={value('fill')}
          disabled={disabled}
          onChange={(fill) => change({ fill })}
        />
        <ColorField
          label="Line colour"
          optional
          value={value('stroke')}
          disabled={disabled}
          onChange={(stroke) => change({ stroke })}
        />
        <NumberField
          label="Line width"
          value={value('strokeWidth')}
          min={0}
          max={50}
          step={0.1}
          unit="mm"
          disabled={disabled}
          onChange={(strokeWidth) => change({ strokeWidth })}
        />
        {value('kind') === 'rect' && (
          <NumberField
            label="Corners"
            value={value('radius')}
            min={0}
            max={1000}
            unit="mm"
            disabled={disabled}
            onChange={(radius) => change({ radius })}
          />
        )}
      </SimpleGrid>
    </>
  );
}
