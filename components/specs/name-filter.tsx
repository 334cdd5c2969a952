'use client';

import { TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { whenUsed } from '@/components/feedback/on-demand';

export type NameFilterProps = {
  label: string;
  /** The placeholder of the empty field, and the label of the button that clears it. */
  all: string;
  /** The message when no name matches. */
  nothing: string;
  names: string[];
  value: string | undefined;
  onChange: (name: string | undefined) => void;
  className?: string;
  autoFocus?: boolean;
};

/**
 * Shows a searchable field that filters by brand or area. The field's code is loaded separately, when the user first
 * interacts with the page. Until it has loaded, a read-only field with the same look is shown. If the read-only field
 * has the focus when it is replaced, the real field opens.
 */
export function NameFilter(props: NameFilterProps) {
  const [Loaded, setLoaded] = useState<ComponentType<NameFilterProps> | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const load = useCallback(() => {
    const done = ({ NameFilterSelect }: typeof import('./name-filter-select')) =>
      setLoaded(() => NameFilterSelect);
    // If loading fails, the next focus tries again.
    import('./name-filter-select').then(done, () => undefined);
  }, []);
  useEffect(() => whenUsed(load), [load]);
  if (Loaded) return <Loaded {...props} autoFocus={hasFocus} />;
  return (
    <TextInput
      className={props.className}
      aria-label={props.label}
      placeholder={props.all}
      value={props.value ?? ''}
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
