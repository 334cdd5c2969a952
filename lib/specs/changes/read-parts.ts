import { allRows } from '@/lib/supabase/all-rows';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { pageParts, type SpecPart, type StoredPage, type StoredSection, sectionParts } from './spec-parts';

export type ReadSpec = {
  /** Whether the text of the PDF has not been read yet. */
  isReading: boolean;
  /**
   * Empty if the spec has no sections. Also empty if the PDF has text, but none of the sections has text or a known
   * page.
   */
  sections: SpecPart[];
  pages: SpecPart[];
};

/** Reads the sections and pages of a spec as they are stored. Throws `unavailable`. */
export function readStored(db: Db, specUploadId: string): Promise<[StoredSection[], StoredPage[]]> {
  return Promise.all([
    allRows((from, to) =>
      db
        .from('spec_sections')
        .select('title,page,level,text')
        .eq('spec_id', specUploadId)
        .order('ordinal')
        .range(from, to),
    ),
    allRows((from, to) =>
      db.from('spec_pages').select('page,text').eq('spec_id', specUploadId).order('page').range(from, to),
    ),
  ]);
}

/** Reads the sections and the pages of a spec with their text. Throws `unavailable`. */
export async function readParts(db: Db, specUploadId: string): Promise<ReadSpec> {
  const [[sections, pages], [spec]] = await Promise.all([
    readStored(db, specUploadId),
    db.from('spec_uploads').select('documents(text_state)').eq('id', specUploadId).limit(1).then(dataOf),
  ]);
  return {
    isReading: spec?.documents.text_state === 'pending',
    sections: sections.length > 0 ? sectionParts(sections, pages) : [],
    pages: pageParts(pages),
  };
}
