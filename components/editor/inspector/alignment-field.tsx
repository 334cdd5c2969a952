'use client';

import { Input, SegmentedControl } from '@mantine/core';
import { type TextElement, textElement } from '@/lib/document/page-model';

const { align: alignment } = textElement.shape;

type AlignmentFieldProps = {
  /** Undefined when the selected elements differ. */
  value: TextElement['align'] | undefined;
  disabled: boolean;
  onChange: (align: TextElement['align']) => void;
};

/** The horizontal alignment of texts. */
export function AlignmentField({ value, disabled, onChange }: AlignmentFieldProps) {
  return (
    <Input.Wrapper label="Alignment" size="xs" labelElement="div">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Alignment"
        value={value ?? ''}
        disabled={disabled}
        data={[
          { value: 'left', label: 'Left' },
          { value: 'center', label: 'Center' },
          { value: 'right', label: 'Right' },
          { value: 'justify', label: 'Justify' },
        ]}
        onChange={(align) => onChange(alignment.parse(align))}
      />
    </Input.Wrapper>
  );
}
