'use client';

import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';

type OptionChipProps = {
  label: string;
  /** The chosen value, or null if no value is chosen. */
  value: string | null;
  hasError: boolean;
  /** The width of the popover that contains the fields, in px. */
  width?: number;
  children: ReactNode;
};

/** Shows an option's value as a button that opens the fields to change it. */
export function OptionChip({ label, value, hasError, width = 260, children }: OptionChipProps) {
  return (
    <Popover position="top-start" width={width} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          radius="xl"
          variant={value === null ? 'default' : 'light'}
          color={hasError ? 'red' : undefined}
        >
          {value === null ? label : `${label} ${value}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  );
}
