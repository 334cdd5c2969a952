'use client';

import type { NameKind } from '@/components/catalogue/catalogue-calls';
import type { KnownNames } from './guess-facts';
import { NamePicker } from './name-picker';
import classes from './upload-table.module.css';
import type { UploadFacts } from './upload-tray-state';

export type FactsProps = {
  names: KnownNames;
  onCreate: (kind: NameKind, name: string, use: (created: string) => void) => void;
};

type UploadFactsFieldsProps = FactsProps & {
  /** What the facts belong to, such as `lobby.pdf` or `all files`. The labels for screen readers contain it. */
  of: string;
  facts: UploadFacts;
  guessed?: readonly (keyof UploadFacts)[];
  /** The first word of the placeholders of the brand and area fields, such as `Choose` in `Choose brand`. */
  placeholder: string;
  onChange: (facts: Partial<UploadFacts>) => void;
};

/** Shows the fields for the brand, area and property of one file or of all files, as three cells of the table. */
export function UploadFactsFields(props: UploadFactsFieldsProps) {
  const { of, facts, guessed = [], placeholder, names, onCreate, onChange } = props;
  return (
    <>
      <NamePicker
        label={`Brand of ${of}`}
        names={names.brands}
        value={facts.brandName}
        placeholder={`${placeholder} brand`}
        isGuess={guessed.includes('brandName')}
        onChange={(brandName) => onChange({ brandName })}
        onCreate={(name) => onCreate('brand', name, (brandName) => onChange({ brandName }))}
      />
      <NamePicker
        label={`Area of ${of}`}
        names={names.areas}
        value={facts.area}
        placeholder={`${placeholder} area`}
        isGuess={guessed.includes('area')}
        onChange={(area) => onChange({ area })}
        onCreate={(name) => onCreate('area', name, (area) => onChange({ area }))}
      />
      <input
        className={classes.property}
        aria-label={`Property of ${of} (optional)`}
        placeholder="Property (optional)"
        value={facts.propertyName}
        maxLength={120}
        data-guess={guessed.includes('propertyName') || undefined}
        onChange={(event) => onChange({ propertyName: event.currentTarget.value })}
      />
    </>
  );
}
