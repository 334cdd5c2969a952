'use client';

import { useState } from 'react';
import { LineField } from '../inspector/fields';

type NameFieldProps = { value: string; disabled: boolean; onChange: (name: string) => void };

/**
 * The field for the name of a style or color. A name cannot be empty, so the last name is kept while the field is
 * empty.
 */
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
