import { z } from 'zod';
import { type Limits, runLimited } from '@/lib/process/limited-process';
import {
  MAX_OUTLINE_LEVEL,
  MAX_PAGE_CHARS,
  MAX_SECTIONS,
  MAX_TEXT_PAGES,
  MAX_TITLE_CHARS,
} from './text-limits';

const DEFAULT_LIMITS: Limits = { cpuSeconds: 30, memoryMb: 1280, wallMs: 5 * 60_000 };

const pageText = z.object({
  page: z.int().min(1).max(MAX_TEXT_PAGES),
  text: z.string().min(1).max(MAX_PAGE_CHARS),
});
export type PageText = z.infer<typeof pageText>;

const section = z.object({
  title: z.string().min(1).max(MAX_TITLE_CHARS),
  page: z.int().min(1).nullable(),
  level: z.int().min(1).max(MAX_OUTLINE_LEVEL),
});

const line = z.union([
  pageText,
  z.object({ sections: z.array(section).max(MAX_SECTIONS) }),
  z.object({ isUnreadable: z.literal(true) }),
]);

/**
 * The text of a PDF and the sections in its outline. `isComplete` is false if the file could not be read, or if reading
 * it exceeded the CPU time or memory limit.
 */
export type PdfText = { pages: PageText[]; sections: z.infer<typeof section>[]; isComplete: boolean };

/**
 * Reads the text and the outline of a PDF with PDF.js in a separate process with bounded time and memory. If reading
 * exceeds the CPU time or memory limit, returns what was read up to then. Throws if reading exceeds the limit on
 * elapsed time, if the process fails for a reason other than the file, or if `signal` aborts.
 */
export async function readText(
  fileDescriptor: number,
  signal: AbortSignal,
  limits: Partial<Limits> = {},
): Promise<PdfText> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const { output, isOverLimit } = await runLimited(
    'lib/specs/pdf/text-process.ts',
    { descriptor: fileDescriptor },
    bounds,
    signal,
  );
  const text: PdfText = { pages: [], sections: [], isComplete: !isOverLimit };
  // Ignore the text after the last line break. It is an incomplete line if the process was killed while writing a line.
  // Otherwise, it is empty.
  for (const written of output.split('\n').slice(0, -1)) {
    const parsed = line.parse(JSON.parse(written));
    if ('sections' in parsed) text.sections = parsed.sections;
    else if ('page' in parsed) text.pages.push(parsed);
    else text.isComplete = false;
  }
  return text;
}
