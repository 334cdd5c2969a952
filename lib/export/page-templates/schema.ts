import { z } from 'zod';
import { documentPages } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

/** The maximum number of templates in the studio. The database enforces it. */
export const MAX_TEMPLATES = 500;
/** The maximum size of a template, in bytes. */
export const MAX_TEMPLATE_BYTES = 1024 * 1024;
const MAX_TEMPLATE_PAGES = 20;

/** The content of a template: pages, the masters that they use, and the paper. */
export const templateContent = projectDocument
  .pick({ format: true, orientation: true, customSize: true, masters: true })
  .extend({
    pages: documentPages.refine(
      ({ length }) => length >= 1 && length <= MAX_TEMPLATE_PAGES,
      `must have 1 to ${MAX_TEMPLATE_PAGES} pages`,
    ),
  });
export type PageTemplateContent = z.output<typeof templateContent>;

/** A template without its content. */
export const pageTemplate = z.object({
  id: uuid,
  name: z.string(),
  pageCount: z.int(),
  /** True if the caller is the template's creator or an administrator, and so may rename and delete the template. */
  canChange: z.boolean(),
  createdAt: time,
});
export type PageTemplate = z.output<typeof pageTemplate>;
export const filledTemplate = pageTemplate.extend({ content: templateContent });
export type FilledTemplate = z.output<typeof filledTemplate>;

export const listTemplatesQuery = z.object({ limit: limitParam, cursor: cursorParam });
export const templatesResponse = z.object({
  templates: z.array(pageTemplate),
  nextCursor: z.string().nullable(),
});
export const templateParams = z.object({ id: uuid, templateId: uuid });
const name = text({ max: 120 });
export const createTemplateBody = z.object({ name, content: templateContent });
export const renameTemplateBody = z.object({ name });
