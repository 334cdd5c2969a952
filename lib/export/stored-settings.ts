import type { z } from 'zod';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import { projectDocument } from '@/lib/document/schema';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { documentOf } from './document-row';

/** The settings of a document: all fields except version and pages. In a request, every setting is optional. */
export const documentSettings = projectDocument.omit({ version: true, pages: true });
export type DocumentSettings = z.output<typeof documentSettings>;

const storedSettings = documentSettings.extend({ version: projectDocument.shape.version.optional() });

/**
 * Returns the settings and version of the stored document. If this user can see no such document, returns the default
 * settings without a version. Throws `unavailable`.
 */
export async function readSettings(db: Db, key: DocumentKey): Promise<z.output<typeof storedSettings>> {
  const rows = await db
    .from('project_pages')
    .select('version,format,orientation,language,cover,settings')
    .eq('id', documentIdOf(key))
    .eq('project_id', key.projectId)
    .limit(1);
  const [row] = dataOf(rows);
  return row ? storedSettings.parse(documentOf(row)) : documentSettings.parse(documentOf(undefined));
}
