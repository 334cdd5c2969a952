'use client';

import { Select } from '@mantine/core';
import type { NameFilterProps } from './name-filter';

/** Renders the searchable field of `NameFilter`. With `autoFocus`, its list opens immediately. */
export function NameFilterSelect({ label, all, nothing, names, value, ...rest }: NameFilterProps) {
  const { className, onChange, autoFocus } = rest;
  return (
    <Select
      className={className}
      aria-label={label}
      placeholder={all}
      data={names}
      value={value ?? null}
      onChange={(name) => onChange(name ?? undefined)}
      autoFocus={autoFocus}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage={nothing}
    />
  );
}
