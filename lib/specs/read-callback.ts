import { type Fields, fieldsOf, objectIn, readCallback, readProgress } from '@/lib/workflow/read-callback';
import { MAX_OUTLINE_LEVEL, MAX_SECTIONS, MAX_TITLE_CHARS } from './pdf/text-limits';
import { MAX_PAGE_NUMBER, MAX_SECTION_CHARS, type ReportedSection } from './sections/schema';
import { specRuns } from './spec-runs';

const MAX_COUNT = 1_000_000;
const sectionFields = ['title', 'page', 'level', 'text'];

/** The result of a run. `notes` says what was left out, cut or changed. */
export type SpecResult = {
  spec_upload_id: string;
  status: 'completed' | 'failed';
  sections_count?: number;
  sections: ReportedSection[];
  error?: string;
  notes: string[];
};
/** A progress report on a run that has not finished. */
export type SpecProgressReport = {
  spec_upload_id: string;
  status: 'running';
  progress?: number;
  note?: string;
  execution?: string;
  notes: string[];
};

/** Reads a whole number of a section. A number below 1 or above `max`, or a fraction, is left out. */
function readWhole(fields: Fields, field: string, max: number): number | undefined {
  const number = fields.number(field);
  if (number === undefined || (Number.isInteger(number) && number >= 1 && number <= max)) return number;
  const limit = Number.isFinite(max) ? ` to ${max.toLocaleString('en')}` : '';
  return fields.leaveOut(field, `must be a whole number from 1${limit}`);
}

/** Reads a section, which can be an object or its title. Returns undefined, with a note, if it has no title. */
function readSection(item: unknown, number: number, note: Fields['note']): ReportedSection | undefined {
  const where = `Section ${number}: `;
  const fields = fieldsOf(objectIn(item) ?? { title: item }, sectionFields, note, where);
  const title = fields.text('title', MAX_TITLE_CHARS);
  if (title === undefined) {
    note(`Section ${number} has no title and was left out.`);
    return undefined;
  }
  const page = readWhole(fields, 'page', MAX_PAGE_NUMBER);
  const level = readWhole(fields, 'level', Number.POSITIVE_INFINITY);
  return {
    title,
    page,
    level: level && fields.changed('level', level, Math.min(level, MAX_OUTLINE_LEVEL)),
    text: fields.text('text', MAX_SECTION_CHARS, { multiline: true }),
  };
}

function readSections(fields: Fields): ReportedSection[] {
  const reported = fields.list('sections');
  if (reported.length > MAX_SECTIONS) {
    const [all, kept] = [reported.length, MAX_SECTIONS].map((count) => count.toLocaleString('en'));
    fields.note(`${all} sections were reported; the first ${kept} were used.`);
  }
  return reported
    .slice(0, MAX_SECTIONS)
    .flatMap((item, index) => readSection(item, index + 1, fields.note) ?? []);
}

/** Reads the number of sections. A fraction is rounded, and a number outside the limits is moved to the nearest. */
function readCount(fields: Fields): number | undefined {
  const count = fields.number('sections_count');
  return (
    count && fields.changed('sections_count', count, Math.min(Math.max(Math.round(count), 0), MAX_COUNT))
  );
}

/**
 * Reads the body of `POST /api/admin/specs/callback`. Accepts more forms than `specCallbackBody` documents. Throws
 * `invalid_request` if the id or the status is unclear.
 */
export function readSpecCallback(
  json: unknown,
  { spec_upload_id: urlId }: { spec_upload_id?: string },
): SpecResult | SpecProgressReport {
  const kind = { source: 'spec', success: 'completed', known: specRuns.callbackFields, urlId } as const;
  const { id, status, fields, notes } = readCallback(kind, json);
  if (status === 'running') {
    const progress = readProgress(fields);
    return { spec_upload_id: id, status, ...progress, notes: notes() };
  }
  const result = {
    spec_upload_id: id,
    status,
    sections_count: readCount(fields),
    sections: status === 'failed' ? [] : readSections(fields),
    error: fields.error(),
  };
  return { ...result, notes: notes() };
}
