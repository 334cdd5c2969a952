/** The fields that a file name pattern can contain, each in braces. */
export const nameFields = ['project', 'document', 'date', 'version'] as const;

const FIELD = /\{([^{}]*)\}/g;
const MAX_LENGTH = 150;

type NamedDocument = { name: string; isMain: boolean };
export type NameFacts = {
  project: string;
  /** `name` is empty if the document's name is unknown. */
  document: NamedDocument;
  /** When the PDF was requested. */
  at: Date;
  /** The version of the document; null if it is unknown. */
  version: number | null;
};

/**
 * Returns the default file name pattern: the project's name, followed by the document's name unless the document is the
 * main one or its name is unknown.
 */
export function defaultNamePattern({ name, isMain }: NamedDocument): string {
  return isMain || !name ? '{project}' : '{project} - {document}';
}

/** Returns whether all braces in a pattern enclose known fields. */
export function isNamePattern(pattern: string): boolean {
  const names: readonly string[] = nameFields;
  const rest = pattern.replace(FIELD, (field, name: string) => (names.includes(name) ? '' : field));
  return !/[{}]/.test(rest);
}

/**
 * Turns text into a file name: a single line of at most 150 characters, without reserved characters and without spaces
 * or dots at the ends.
 */
function safeName(text: string): string {
  const trimmed = (part: string) => part.replace(/^[ .]+|[ .]+$/g, '');
  const line = text
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[\\/:*?"<>|]+/g, '-');
  return trimmed([...trimmed(line)].slice(0, MAX_LENGTH).join(''));
}

/**
 * Returns the file name of a PDF for a pattern such as `{project} {date} v{version}`, or for the default pattern if
 * `pattern` is null or empty. Dates are in UTC.
 */
export function pdfName(pattern: string | null, { project, document, at, version }: NameFacts): string {
  const values: Record<string, string> = {
    project,
    document: document.name,
    date: at.toISOString().slice(0, 10),
    version: version === null ? '' : String(version),
  };
  const name = (pattern || defaultNamePattern(document)).replace(
    FIELD,
    (_, field: string) => values[field] ?? '',
  );
  return `${safeName(name) || 'Document'}.pdf`;
}
