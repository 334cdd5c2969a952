import { z } from 'zod';
import type { Caller } from '@/lib/auth/caller';
import { HttpError } from '@/lib/errors/problem';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import {
  type FilledTemplate,
  type listTemplatesQuery,
  MAX_TEMPLATES,
  type PageTemplate,
  type PageTemplateContent,
  templateContent,
} from './schema';

// The callers of these functions must check that the user may edit at least one project.

type Row = { id: string; name: string; page_count: number; created_by: string | null; created_at: string };
type By = Pick<Caller, 'userId' | 'isAdmin'>;

function templateOf(row: Row, { userId, isAdmin }: By): PageTemplate {
  return {
    id: row.id,
    name: row.name,
    pageCount: row.page_count,
    canChange: isAdmin || row.created_by === userId,
    createdAt: row.created_at,
  };
}

const created = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid }),
  z.object({ outcome: z.literal('too_many') }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/**
 * Saves a template and returns its id. `projectId` is the project that the template's images belong to. Throws
 * `state_conflict` if there are too many templates, or `idempotency_mismatch`.
 */
export async function createTemplate(
  projectId: string,
  userId: string,
  { name, content }: { name: string; content: PageTemplateContent },
  idempotency: { key: string; bodySha256: string } | null,
): Promise<string> {
  const args = {
    p_user: userId,
    p_project: projectId,
    p_name: name,
    p_content: content,
    p_idempotency_key: idempotency?.key,
    p_request_sha256: idempotency?.bodySha256,
  };
  const result = accepted(await callRpc('create_page_template', args, created));
  if (result.outcome === 'too_many') {
    const detail = `The studio has ${MAX_TEMPLATES} page templates. Delete one first.`;
    throw new HttpError('state_conflict', detail);
  }
  return result.id;
}

/** Returns the studio's templates, newest first. Throws `invalid_request` or `unavailable`. */
export async function listTemplates(
  by: By,
  { limit, cursor }: z.output<typeof listTemplatesQuery>,
): Promise<{ templates: PageTemplate[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(cursor) : null;
  const found = dataOf(
    await adminDb().rpc('list_page_templates', {
      p_limit: limit + 1,
      p_before: after?.createdAt,
      p_before_id: after?.id,
    }),
  );
  const { rows, nextCursor } = cutPage(found, limit);
  return { templates: rows.map((row) => templateOf(row, by)), nextCursor };
}

/** Returns a template with its content. Throws `not_found` or `unavailable`. */
export async function requireTemplate(by: By, id: string): Promise<FilledTemplate> {
  const [row] = dataOf(await adminDb().rpc('read_page_template', { p_id: id }));
  if (!row) throw new HttpError('not_found');
  return { ...templateOf(row, by), content: templateContent.parse(row.content) };
}

const changed = z.object({ outcome: z.enum(['allowed', 'not_found', 'forbidden']) });

const userArg = ({ userId, isAdmin }: By) => (isAdmin ? undefined : userId);

/** Renames a template. Throws `not_found`, or `forbidden` unless `by` is its creator or an administrator. */
export async function renameTemplate(by: By, id: string, name: string): Promise<void> {
  const args = { p_id: id, p_name: name, p_user: userArg(by) };
  accepted(await callRpc('rename_page_template', args, changed));
}

/** Deletes a template. Throws `not_found`, or `forbidden` unless `by` is its creator or an administrator. */
export async function deleteTemplate(by: By, id: string): Promise<void> {
  accepted(await callRpc('delete_page_template', { p_id: id, p_user: userArg(by) }, changed));
}
