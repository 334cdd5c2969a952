'use client';

import { Select } from '@mantine/core';
import { cssFontName, fontLibrary, isLibraryFont, STANDARD_FONT } from '@/lib/document/font-library';
import { useProjectFonts } from './use-project-fonts';

const kinds = [...new Set(fontLibrary.map(({ kind }) => kind))];
const libraryOptions = [
  { group: 'Standard', items: [STANDARD_FONT] },
  ...kinds.map((group) => ({
    group,
    items: fontLibrary.filter(({ kind }) => kind === group).map(({ name }) => name),
  })),
];

type FontSelectProps = {
  label: string;
  /** Null is the standard font; undefined means that the selected elements have different fonts. */
  value: string | null | undefined;
  disabled?: boolean;
  /** Whether the list is rendered in a portal. Must be false in an editor that closes when it loses focus. */
  withinPortal?: boolean;
  onChange: (font: string | null) => void;
};

/** Shows a list of fonts, each in its own typeface. */
export function FontSelect({ label, value, disabled, withinPortal = true, onChange }: FontSelectProps) {
  const { fonts } = useProjectFonts();
  const own = [...new Set(fonts.map(({ name }) => name))];
  // If the text uses a font that was removed from the project, keep the font in the list.
  if (value && !isLibraryFont(value) && !own.includes(value)) own.push(value);
  const options = own.length > 0 ? [{ group: 'Project', items: own }, ...libraryOptions] : libraryOptions;
  return (
    <Select
      size="xs"
      label={label}
      data={options}
      value={value === null ? STANDARD_FONT : (value ?? null)}
      placeholder="Mixed"
      searchable
      allowDeselect={false}
      nothingFoundMessage="No font matches"
      disabled={disabled}
      maxDropdownHeight={320}
      comboboxProps={{ withinPortal }}
      renderOption={({ option }) => (
        <span style={{ fontFamily: `${cssFontName(option.value)}, sans-serif` }}>{option.label}</span>
      )}
      onChange={(font) => font !== null && onChange(font === STANDARD_FONT ? null : font)}
    />
  );
}
