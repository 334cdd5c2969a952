'use client';

import { TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { dayParam } from '@/lib/http/day';
import classes from './day-field.module.css';
import { useDraftText } from './use-draft-text';

type DayFieldProps = { label: string; day: string | undefined; onChange: (day: string | undefined) => void };

/** Opens the browser's calendar if a script can open it. If not, the day can still be typed. */
function openPicker(field: HTMLInputElement): void {
  try {
    field.showPicker?.();
  } catch {
    // `showPicker` throws in a cross-origin frame, for example.
  }
}

/** Shows a date field. Does not call `onChange` for an invalid date, such as one with a partly typed year. */
export function DayField({ label, day = '', onChange }: DayFieldProps) {
  const { text, setText, markApplied } = useDraftText(day);
  return (
    <TextInput
      type="date"
      label={label}
      classNames={{ input: classes.day }}
      leftSection={<IconCalendar size={16} />}
      onClick={({ currentTarget }) => openPicker(currentTarget)}
      max="2999-12-31"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        const parsed = dayParam.safeParse(value);
        if (!parsed.success && value !== '') return;
        markApplied(value);
        onChange(parsed.data);
      }}
    />
  );
}
