'use client';

import { useState } from 'react';
import { LineField } from '../inspector/fields';

type NameFieldProps = { value: string; disabled: boolean; onChange: (name: string) => void };

/** A field for the name of a style or color. A name cannot be empty, so clearing the field does not change the name. */
export function NameField({ value, disabled, onChange }: NameFieldProps) {
  const [isEmpty, setIsEmpty] = useState(false);
  return (
    <LineField
      label="Name"
      value={isEmpty ? '' : value}
      placeholder={value}
      maxLength={60}
      disabled={disabled}
      onChange={(name) => {
        setIsEmpty(name === '');
        if (name !== '') onChange(name);
      }}
    />
  );
}
