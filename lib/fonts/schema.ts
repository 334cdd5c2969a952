import { z } from 'zod';
import { fontName } from '@/lib/document/page-model';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

export const MAX_FONT_BYTES = 2 * 1024 * 1024;
/** Maximum number of fonts in a project. The database enforces this limit. */
export const MAX_FONTS = 24;
/** Maximum total size of a project's fonts in bytes. The database enforces this limit. */
export const MAX_ALL_FONTS_BYTES = 16 * 1024 * 1024;

/** A font uploaded to a project: one style of a family. */
export const projectFont = z.object({
  id: uuid,
  /** The family name, which a text element's `font` refers to. */
  name: fontName,
  bold: z.boolean(),
  italic: z.boolean(),
  fileName: z.string(),
  createdAt: time,
});
export type ProjectFont = z.infer<typeof projectFont>;

export const fontsParams = z.object({ id: uuid });
export const fontParams = z.object({ id: uuid, fontId: uuid });
export const fontForm = z.object({ file: z.file() });
export const fontsResponse = z.object({ fonts: z.array(projectFont) });
