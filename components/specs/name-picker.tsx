'use client';

import { Select } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { ADD, nameOptions } from './name-options';
import classes from './name-picker.module.css';

const focus = (element: HTMLElement | null) => element?.focus();

type NamePickerProps = {
  /** Accessible name of the field. */
  label: string;
  names: string[];
  value: string;
  /** Shown while nothing is picked. */
  placeholder: string;
  isGuess?: boolean;
  onChange: (name: string) => void;
  /** Adds the typed name as a new brand or area and picks it. */
  onCreate: (name: string) => void;
};

/**
 * Picks a brand or an area. Renders a button until the user opens it, because a table with hundreds of searchable
 * selects, each with hundreds of options, would block the page for seconds.
 */
export function NamePicker({
  label,
  names,
  value,
  placeholder,
  isGuess,
  onChange,
  onCreate,
}: NamePickerProps) {
  /** `closed-by-choice` after the user has picked a name or pressed Escape. The focus then returns to the button. */
  const [state, setState] = useState<'closed' | 'open' | 'closed-by-choice'>('closed');
  const [typed, setTyped] = useState('');

  if (state !== 'open') {
    return (
      <button
        type="button"
        ref={state === 'closed-by-choice' ? focus : undefined}
        className={classes.pick}
        data-empty={value === '' || undefined}
        data-guess={isGuess || undefined}
        aria-haspopup="listbox"
        aria-label={`${label}: ${value === '' ? 'not chosen' : value}${isGuess ? ', guessed' : ''}`}
        title={isGuess ? `${value} (guessed from the file path)` : value}
        onClick={() => setState('open')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          // Keep the page from scrolling.
          event.preventDefault();
          setState('open');
        }}
      >
        <span className={classes.value}>{value === '' ? placeholder : value}</span>
        <IconChevronDown size={14} aria-hidden="true" />
      </button>
    );
  }

  const close = (next: 'closed' | 'closed-by-choice') => {
    setState(next);
    setTyped('');
  };
  return (
    <Select
      aria-label={label}
      size="xs"
      classNames={{ input: classes.search }}
      data={nameOptions(names, typed)}
      filter={({ options }) => options}
      // Pass no value. A value would become the search text and hide all other names.
      value={null}
      placeholder={value || 'Search or add'}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(picked) => {
        if (picked === ADD) onCreate(typed.trim());
        else if (picked !== null) onChange(picked);
        close('closed-by-choice');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close('closed-by-choice');
      }}
      onBlur={() => close('closed')}
      searchable
      autoFocus
      defaultDropdownOpened
      selectFirstOptionOnChange
      allowDeselect={false}
      nothingFoundMessage="No names yet. Type one to add it."
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
