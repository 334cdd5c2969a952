'use client';

import { SimpleGrid } from '@mantine/core';
import type { PageElement } from '@/lib/document/page-model';
import { LineField, NumberField } from './fields';
import { useElementFields } from './use-element-fields';

/**
 * Fields for the position and size (mm) and the rotation (degrees) of elements, and for the name of a single element.
 */
export function FrameFields({ elements }: { elements: readonly PageElement[] }) {
  const { value, field, change, disabled } = useElementFields(elements);
  const positionProps = { min: -2000, max: 2000, unit: 'mm' as const, disabled };
  const side = { min: 0.1, max: 2000, unit: 'mm' as const, disabled };
  return (
    <>
      <SimpleGrid cols={2} spacing="xs">
        <NumberField label="X" value={value('x')} {...positionProps} onChange={(x) => change({ x })} />
        <NumberField label="Y" value={value('y')} {...positionProps} onChange={(y) => change({ y })} />
        <NumberField label="Width" value={value('w')} {...side} onChange={(w) => change({ w })} />
        <NumberField label="Height" value={value('h')} {...side} onChange={(h) => change({ h })} />
        <NumberField label="Rotation" min={-360} max={360} unit="°" {...field('rotation')} />
      </SimpleGrid>
      {elements.length === 1 && (
        <LineField label="Name" placeholder="Visible only while editing" maxLength={120} {...field('name')} />
      )}
    </>
  );
}
