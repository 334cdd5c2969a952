'use client';

import { Input, SegmentedControl } from '@mantine/core';

type ChoiceFieldProps<Value extends string> = {
  label: string;
  /** Undefined when the selected elements differ. */
  value: Value | undefined;
  /** The values with their labels, in order. */
  choices: Readonly<Record<Value, string>>;
  disabled: boolean;
  onChange: (value: Value) => void;
};

/** A field that shows all of its few values and lets the user select one. */
export function ChoiceField<Value extends string>({
  label,
  value,
  choices,
  disabled,
  onChange,
}: ChoiceFieldProps<Value>) {
  const values = Object.keys(choices) as Value[];
  return (
    <Input.Wrapper label={label} size="xs" labelElement="div">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={label}
        value={value ?? ''}
        disabled={disabled}
        data={values.map((each) => ({ value: each, label: choices[each] }))}
        onChange={(next) => onChange(next as Value)}
      />
    </Input.Wrapper>
  );
}

export const horizontalAlignments = { left: 'Left', center: 'Center', right: 'Right' } as const;
export const textAlignments = { ...horizontalAlignments, justify: 'Justify' } as const;
export const verticalAlignments = { top: 'Top', middle: 'Middle', bottom: 'Bottom' } as const;
