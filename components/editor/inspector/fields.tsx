'use client';

import { ColorInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useEditor, useEditorContext, useEditorDispatch } from '../use-editor';
import { usedColors } from '../used-colors';
import { NamedColorMenu } from './named-color-menu';
import { type MeasureUnit, parseMeasure, withinLimits } from './parse-measure';

type NumberFieldProps = {
  label: string;
  /** Undefined when the selected elements differ. */
  value: number | undefined;
  min: number;
  max: number;
  step?: number;
  unit?: MeasureUnit;
  decimals?: number;
  /** Shown while the field has no value. */
  placeholder?: string;
  disabled?: boolean;
  onChange: (value: number) => void;
};

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/**
 * A number field that applies its value on each keystroke if the value is within the limits. When the user presses
 * Enter or leaves the field, a value outside the limits is clamped, and a message says so. The field also accepts
 * calculations and other length units (see `parseMeasure`). The up and down arrow keys change the value by `step`, or
 * by ten steps with Shift.
 */
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
  const [typed, setTyped] = useState<string | null>(null);
  const withUnit = (measure: number) => `${rounded(measure, decimals)}${unit ? ` ${unit}` : ''}`;
  const shown = value === undefined ? '' : withUnit(value);
  const parsed = typed === null ? null : parseMeasure(typed, unit);
  const isEmpty = typed === null || typed.trim() === '';
  const isOutside = parsed !== null && withinLimits(parsed, { min, max }).limit !== null;
  const apply = (measure: number | null) => {
    const next = measure === null ? null : rounded(measure, decimals);
    if (next !== null && next >= min && next <= max && next !== value) onChange(next);
  };
  const leave = () => {
    setTyped(null);
    if (parsed === null) return;
    const { value: within, limit } = withinLimits(parsed, { min, max });
    if (limit === null) return;
    apply(within);
    dispatch({
      type: 'announced',
      text: `${label} was set to the ${limit}, ${withUnit(within)}.`,
      refused: true,
    });
  };
  return (
    <TextInput
      size="xs"
      label={label}
      value={typed ?? shown}
      placeholder={value === undefined ? placeholder : undefined}
      inputMode="decimal"
      autoComplete="off"
      maxLength={60}
      disabled={disabled}
      error={!isEmpty && (parsed === null ? 'Not a number' : isOutside && `${min} to ${withUnit(max)}`)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        apply(parseMeasure(currentTarget.value, unit));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave();
        const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (direction === undefined) return;
        event.preventDefault();
        const from = parsed ?? value ?? 0;
        const next = from + direction * step * (event.shiftKey ? 10 : 1);
        setTyped(null);
        apply(Math.min(Math.max(next, min), max));
      }}
      onBlur={() => {
        leave();
        dispatch({ type: 'settled' });
      }}
    />
  );
}

type LineFieldProps = {
  label: string;
  value: string | undefined;
  placeholder?: string;
  maxLength: number;
  disabled?: boolean;
  onChange: (value: string) => void;
};

/** A one-line text field. Everything typed until the field loses focus is a single undo step. */
export function LineField({ label, value, placeholder, maxLength, disabled, onChange }: LineFieldProps) {
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

/** Maximum number of swatches for colors that the document uses. */
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
  /** Null means no color; undefined means that the selected elements have different colors. */
  value: string | null | undefined;
  /** The id of the named color that the field refers to. */
  colorId?: string;
  disabled?: boolean;
  /** Whether the picker renders in a portal. Must be false in an editor that closes when it loses focus. */
  withinPortal?: boolean;
} /** `colorId` is the id of the named color with the new value, if there is one. */ & (
  | { optional: true; onChange: (value: string | null, colorId: string | undefined) => void }
  | { optional?: false; onChange: (value: string, colorId: string | undefined) => void }
);

/**
 * A color field whose picker offers the named colors first, then the colors that the document uses most, then default
 * colors. If `optional`, clearing the field sets null.
 */
export function ColorField(props: ColorFieldProps) {
  const { label, value, colorId, disabled, withinPortal = true } = props;
  const { store } = useEditorContext();
  const colors = useEditor(({ document }) => document.colors);
  const [typed, setTyped] = useState<string | null>(null);
  const [used, setUsed] = useState<string[]>([]);
  return (
    <ColorInput
      size="xs"
      label={label}
      format="hex"
      value={typed ?? value ?? ''}
      placeholder={value === undefined ? 'Mixed' : 'None'}
      swatches={[...new Set([...colors.map(({ color }) => color.toLowerCase()), ...used, ...swatches])]}
      onFocus={() => setUsed(usedColors(store.get().document, USED))}
      disabled={disabled}
      withEyeDropper={false}
      description={colors.find(({ id }) => id === colorId)?.name}
      inputWrapperOrder={['label', 'input', 'description']}
      rightSection={
        colors.length > 0 &&
        !disabled && (
          <NamedColorMenu
            field={label}
            colors={colors}
            withinPortal={withinPortal}
            onPick={({ color, id }) => {
              setTyped(null);
              props.onChange(color, id);
              store.dispatch({ type: 'settled' });
            }}
          />
        )
      }
      fixOnBlur={false}
      popoverProps={{ withinPortal }}
      onChange={(next) => {
        setTyped(next);
        const named = colors.find(({ color }) => color.toLowerCase() === next.toLowerCase());
        if (isColor(next)) props.onChange(next, named?.id);
        else if (next === '' && props.optional) props.onChange(null, undefined);
      }}
      onBlur={() => {
        setTyped(null);
        store.dispatch({ type: 'settled' });
      }}
    />
  );
}
