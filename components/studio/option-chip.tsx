'use client';

import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';

type OptionChipProps = {
  label: string;
  /** The chosen value; null while there is none. */
  value: string | null;
  hasError: boolean;
  children: ReactNode;
};

/** A button with the value of one option, which opens the fields to change it. */
export function OptionChip({ label, value, hasError, children }: OptionChipProps) {
  return (
    <Popover position="top-start" width={260} shadow="md" trapFocus returnFocus>
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
