'use client';

import { TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { dayParam } from '@/lib/http/day';
import classes from './day-field.module.css';

type DayFieldProps = { label: string; day: string | undefined; onChange: (day: string | undefined) => void };

/** Opens the browser's calendar, if it has one that opens by script. Otherwise, the day can still be typed. */
function openPicker(field: HTMLInputElement): void {
  try {
    field.showPicker?.();
  } catch {
    // Browsers refuse this in a cross-origin frame, for example.
  }
}

/** Shows a field for a day. The filter does not change while only part of a date is typed. */
export function DayField({ label, day = '', onChange }: DayFieldProps) {
  const [typed, setTyped] = useState(day);
  const written = useRef(day);

  // Update the field when the URL changes other than by typing.
  useEffect(() => {
    if (day === written.current) return;
    written.current = day;
    setTyped(day);
  }, [day]);

  return (
    <TextInput
      type="date"
      label={label}
      classNames={{ input: classes.day }}
      leftSection={<IconCalendar size={16} />}
      onClick={({ currentTarget }) => openPicker(currentTarget)}
      max="2999-12-31"
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        const parsed = dayParam.safeParse(value);
        if (!parsed.success && value !== '') return;
        written.current = value;
        onChange(parsed.data);
      }}
    />
  );
}
