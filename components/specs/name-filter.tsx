'use client';

import { TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { whenUsed } from '@/components/feedback/on-demand';

export type NameFilterProps = {
  label: string;
  /** What the empty field says, and the button that empties it. */
  all: string;
  /** What is said when no name matches. */
  nothing: string;
  names: string[];
  value: string | undefined;
  onChange: (name: string | undefined) => void;
  className?: string;
  autoFocus?: boolean;
};

/**
 * A filter by brand or area, with a search among the names. The code of the field is not part of the page: it is loaded
 * when the page is first used. Until then, the field looks the same, and opens once its code is there.
 */
export function NameFilter(props: NameFilterProps) {
  const [Loaded, setLoaded] = useState<ComponentType<NameFilterProps> | null>(null);
  const [wantsFocus, setWantsFocus] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const load = useRef(() =>
    import('./name-filter-select').then(
      ({ NameFilterSelect }) => {
        setWantsFocus(document.activeElement === field.current);
        setLoaded(() => NameFilterSelect);
      },
      // The next focus tries again.
      () => undefined,
    ),
  );
  useEffect(() => whenUsed(() => void load.current()), []);
  if (Loaded) return <Loaded {...props} autoFocus={wantsFocus} />;
  return (
    <TextInput
      ref={field}
      className={props.className}
      aria-label={props.label}
      placeholder={props.all}
      value={props.value ?? ''}
      readOnly
      rightSection={<IconSelector size={16} stroke={1.5} />}
      onFocus={() => void load.current()}
    />
  );
}
