'use client';

import { TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { whenUsed } from '@/components/feedback/on-demand';

export type SelectFilterProps = {
  label: string;
  /** The placeholder of the empty field, and the label of the button that clears it. */
  all: string;
  /** The message when no option matches the typed text. */
  nothing: string;
  options: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className?: string;
  autoFocus?: boolean;
};

/**
 * Shows a searchable field that filters a list by one of many options. The field's code is loaded separately, when the
 * user first interacts with the page. Until it has loaded, a read-only field with the same look is shown. If the
 * read-only field has the focus when it is replaced, the real field opens its list.
 */
export function SelectFilter(props: SelectFilterProps) {
  const [Loaded, setLoaded] = useState<ComponentType<SelectFilterProps> | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const load = useCallback(() => {
    const done = ({ SelectFilterField }: typeof import('./select-filter-field')) =>
      setLoaded(() => SelectFilterField);
    // If loading fails, the next focus tries again.
    import('./select-filter-field').then(done, () => undefined);
  }, []);
  useEffect(() => whenUsed(load), [load]);
  if (Loaded) return <Loaded {...props} autoFocus={hasFocus} />;
  return (
    <TextInput
      className={props.className}
      aria-label={props.label}
      placeholder={props.all}
      value={props.options.find(({ value }) => value === props.value)?.label ?? ''}
      readOnly
      rightSection={<IconSelector size={16} stroke={1.5} />}
      onFocus={() => {
        setHasFocus(true);
        load();
      }}
      onBlur={() => setHasFocus(false)}
    />
  );
}
