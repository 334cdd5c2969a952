/** The fields of a pattern for file names, each in braces. */
export const nameFields = ['project', 'date', 'version'] as const;
export const DEFAULT_NAME_PATTERN = '{project}';

const FIELD = /\{([^{}]*)\}/g;
const MAX_LENGTH = 150;

export type NameFacts = {
  project: string;
  /** When the PDF was requested. */
  at: Date;
  /** The version of the document; null if it is unknown. */
  version: number | null;
};

/** Returns whether all fields in braces of a pattern are known. */
export function isNamePattern(pattern: string): boolean {
  const names: readonly string[] = nameFields;
  const rest = pattern.replace(FIELD, (field, name: string) => (names.includes(name) ? '' : field));
  return !/[{}]/.test(rest);
}

/** Turns text into a file name that every system accepts: one line, without reserved characters. */
function safeName(text: string): string {
  const trimmed = (part: string) => part.replace(/^[ .]+|[ .]+$/g, '');
  const line = text
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[\\/:*?"<>|]+/g, '-');
  return trimmed([...trimmed(line)].slice(0, MAX_LENGTH).join(''));
}

/** Returns the file name of a PDF by a pattern such as `{project} {date} v{version}`. Dates are in UTC. */
export function pdfName(pattern: string | null, { project, at, version }: NameFacts): string {
  const values: Record<string, string> = {
    project,
    date: at.toISOString().slice(0, 10),
    version: version === null ? '' : String(version),
  };
  const name = (pattern || DEFAULT_NAME_PATTERN).replace(FIELD, (_, field: string) => values[field] ?? '');
  return `${safeName(name) || 'Document'}.pdf`;
}
