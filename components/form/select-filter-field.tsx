'use client';

import { Select } from '@mantine/core';
import type { SelectFilterProps } from './select-filter';

/** Renders the searchable field of `SelectFilter`. With `autoFocus`, its list opens immediately. */
export function SelectFilterField({ label, all, nothing, options, value, ...rest }: SelectFilterProps) {
  const { className, onChange, autoFocus } = rest;
  return (
    <Select
      className={className}
      aria-label={label}
      placeholder={all}
      data={options}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      autoFocus={autoFocus}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage={nothing}
    />
  );
}
