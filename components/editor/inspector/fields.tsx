'use client';

import { ColorInput, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useEditorContext, useEditorDispatch } from '../use-editor';
import { usedColors } from '../used-colors';

type NumberFieldProps = {
  label: string;
  /** Undefined when the selected elements differ. */
  value: number | undefined;
  min: number;
  max: number;
  step?: number;
  unit?: string;
  decimals?: number;
  /** Shown while the value is undefined. */
  placeholder?: string;
  disabled?: boolean;
  onChange: (value: number) => void;
};

/** A number field that applies its value on each keystroke, as long as the value is within the limits. */
export function NumberField({
  label,
  value,
  min,
  max,
  step = 1,
  unit,
  decimals = 2,
  placeholder = 'Mixed',
  disabled,
  onChange,
}: NumberFieldProps) {
  const dispatch = useEditorDispatch();
  // The raw input, which may not be a valid number yet.
  const [typed, setTyped] = useState<string | number | null>(null);
  return (
    <NumberInput
      size="xs"
      label={label}
      value={typed ?? value ?? ''}
      placeholder={value === undefined ? placeholder : undefined}
      min={min}
      max={max}
      step={step}
      decimalScale={decimals}
      suffix={unit ? ` ${unit}` : undefined}
      disabled={disabled}
      onChange={(next) => {
        setTyped(next);
        if (typeof next === 'number' && next >= min && next <= max && next !== value) onChange(next);
      }}
      onBlur={() => {
        setTyped(null);
        dispatch({ type: 'settled' });
      }}
    />
  );
}

type WordsFieldProps = {
  label: string;
  value: string | undefined;
  placeholder?: string;
  maxLength: number;
  disabled?: boolean;
  onChange: (value: string) => void;
};

/** A one-line text field. Everything typed until the field loses focus is a single undo step. */
export function WordsField({ label, value, placeholder, maxLength, disabled, onChange }: WordsFieldProps) {
  const dispatch = useEditorDispatch();
  return (
    <TextInput
      size="xs"
      label={label}
      value={value ?? ''}
      placeholder={value === undefined ? 'Mixed' : placeholder}
      maxLength={maxLength}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => dispatch({ type: 'settled' })}
    />
  );
}

/** Number of swatches with colors of the document. */
const USED = 10;
const swatches = [
  '#ffffff',
  '#f3f1ef',
  '#d8d4cc',
  '#a9a19d',
  '#6f6663',
  '#1f2328',
  '#5f2c52',
  '#efb8a0',
  '#2f5d50',
  '#1d4e89',
];
const isColor = (value: string) => /^#[0-9a-fA-F]{6}$/.test(value);

type ColorFieldProps = {
  label: string;
  /** Null means no color; undefined means that the selected elements differ. */
  value: string | null | undefined;
  disabled?: boolean;
  /** Whether the picker is in a portal; an editor that closes when it loses the focus needs it close by. */
  withinPortal?: boolean;
} & (
  | { optional: true; onChange: (value: string | null) => void }
  | { optional?: false; onChange: (value: string) => void }
);

/** A color field with a picker that offers the document's colors first; if `optional`, clearing it sets null. */
export function ColorField(props: ColorFieldProps) {
  const { label, value, disabled, withinPortal = true } = props;
  const { store } = useEditorContext();
  const [typed, setTyped] = useState<string | null>(null);
  const [used, setUsed] = useState<string[]>([]);
  return (
    <ColorInput
      size="xs"
      label={label}
      format="hex"
      value={typed ?? value ?? ''}
      placeholder={value === undefined ? 'Mixed' : 'None'}
      swatches={[...new Set([...used, ...swatches])]}
      onFocus={() => setUsed(usedColors(store.get().document, USED))}
      disabled={disabled}
      withEyeDropper={false}
      fixOnBlur={false}
      popoverProps={{ withinPortal }}
      onChange={(next) => {
        setTyped(next);
        if (isColor(next)) props.onChange(next);
        else if (next === '' && props.optional) props.onChange(null);
      }}
      onBlur={() => {
        setTyped(null);
        store.dispatch({ type: 'settled' });
      }}
    />
  );
}
