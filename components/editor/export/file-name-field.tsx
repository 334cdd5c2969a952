'use client';

import { TextInput } from '@mantine/core';
import { defaultNamePattern, type NameFacts, nameFields, pdfName } from '@/lib/document/pdf-name';
import { fileNamePattern } from '@/lib/document/schema';

/** Returns the error message for a file name pattern, or null if it is valid. */
export function fileNameError(pattern: string | null): string | null {
  return fileNamePattern.nullable().safeParse(pattern).error?.issues[0]?.message ?? null;
}

type FileNameFieldProps = {
  /** The pattern, which may be invalid, or null for the default. */
  value: string | null;
  onChange: (pattern: string | null) => void;
  facts: NameFacts;
};

/** Shows a field for the file name pattern, with a preview of the resulting name. */
export function FileNameField({ value, onChange, facts }: FileNameFieldProps) {
  const error = fileNameError(value);
  const fields = nameFields.map((name) => `{${name}}`).join(', ');
  return (
    <TextInput
      label="File name"
      placeholder={defaultNamePattern(facts.document)}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      error={error && `The file name ${error}.`}
      description={`Fields: ${fields}. The file is called “${error ? '…' : pdfName(value, facts)}”.`}
    />
  );
}
