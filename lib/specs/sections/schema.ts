import { z } from 'zod';
import { pastedText } from '@/lib/http/pasted-text';
import { time } from '@/lib/http/time';
import { MAX_OUTLINE_LEVEL, MAX_PAGE_CHARS, MAX_SECTIONS, MAX_TITLE_CHARS } from '../pdf/text-limits';

/** The highest page number of a section. */
export const MAX_PAGE_NUMBER = 100_000;
/** The maximum length of a section's text, in characters. */
export const MAX_SECTION_CHARS = MAX_PAGE_CHARS;

/** Error message for a list with more than `MAX_SECTIONS` sections. */
export const TOO_MANY_SECTIONS = `must have at most ${MAX_SECTIONS.toLocaleString('en')} sections`;

const page = z.int().min(1).max(MAX_PAGE_NUMBER);

const cutText = (max: number) =>
  z
    .string()
    .meta({ json: { type: 'string', description: `Cut to ${max.toLocaleString('en')} characters.` } });

/** A section as the workflow service should report it. */
export const reportedSection = z.object({
  title: cutText(MAX_TITLE_CHARS),
  page: page.optional(),
  level: z
    .int()
    .min(1)
    .meta({
      json: {
        type: 'integer',
        minimum: 1,
        description: `1 for a main section, at most ${MAX_OUTLINE_LEVEL}.`,
      },
    })
    .optional(),
  text: cutText(MAX_SECTION_CHARS).optional(),
});
export type ReportedSection = z.infer<typeof reportedSection>;

/** A section of a spec. `level` is 1 for a main section. */
export const section = z.object({
  title: z.string(),
  page: z.int().nullable(),
  level: z.int(),
  text: z.string().nullable(),
});
export type Section = z.infer<typeof section>;

/** Where the sections of a spec come from. `manual` means that an administrator has corrected them. */
export const sectionSource = z.enum(['outline', 'workflow', 'manual']);

export const sectionsResponse = z.object({
  /** Increases with every change. A correction must contain the version that it is based on. */
  version: z.int(),
  /** Null if there are no sections. */
  source: sectionSource.nullable(),
  isCorrected: z.boolean(),
  /** When a report last changed the originals of corrected sections; null if none did. */
  originalChangedAt: time.nullable(),
  sections: z.array(section),
});
export type SectionsResponse = z.infer<typeof sectionsResponse>;

const version = z.int().min(0);

/**
 * Returns a schema for corrected text. The schema drops bidi overrides instead of rejecting the text, because the
 * original sections can contain such overrides. The originals come from PDF outlines and from reports.
 */
const correctedText = (max: number, { multiline = false } = {}) =>
  pastedText({ max, multiline, dropsOverrides: true });

/** Body of `PUT /api/admin/specs/{id}/sections`: all sections, in order, and the version that they replace. */
export const saveSectionsBody = z.object({
  version,
  sections: z
    .array(
      z.object({
        title: correctedText(MAX_TITLE_CHARS),
        page: page.optional(),
        level: z.int().min(1).max(MAX_OUTLINE_LEVEL).optional().default(1),
        text: correctedText(MAX_SECTION_CHARS, { multiline: true }).optional(),
      }),
    )
    .max(MAX_SECTIONS, TOO_MANY_SECTIONS),
});
export type SaveSections = z.infer<typeof saveSectionsBody>;

/** Body of `POST /api/admin/specs/{id}/sections/restore`. */
export const restoreSectionsBody = z.object({ version });

export const changedSections = z.object({ version: z.int() });

/** A CSV file with one row for each section. */
export const sectionsCsv = z.string();

/** The size limit of a correction, in bytes. */
export const MAX_SECTIONS_BYTES = 2 * 1024 * 1024;
