import { signedUrls } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { dispatchRuns } from '@/lib/workflow/dispatch-run';
import { specRuns } from './spec-runs';

/** Sends runs of specs to the workflow service. */
export const dispatchSpec = dispatchRuns(specRuns, async (item) => {
  const db = adminDb();
  const [specs, jobs] = await Promise.all([
    db
      .from('specs')
      .select('id,document_id,run,file_name,storage_path,size_bytes,sha256,is_protected')
      .eq('id', item.subjectId)
      .limit(1)
      .then(dataOf),
    db
      .from('upload_jobs')
      .select('brand_name,area,property_name')
      .eq('spec_upload_id', item.subjectId)
      .eq('run', item.run)
      .limit(1)
      .then(dataOf),
  ]);
  const [spec] = specs;
  // Use the names recorded with the run, because the spec's names may have been edited since.
  const [names] = jobs;
  if (!spec || !names || spec.run !== item.run) return null;
  // The URL is valid for twice `deadlineS`, so that a run that starts late can still download the file.
  const [url] = await signedUrls([spec.storage_path], 2 * specRuns.deadlineS);
  if (!url) return { missing: 'The file is no longer in storage.' };
  return {
    type: 'spec.process',
    data: {
      spec_upload_id: spec.id,
      document_id: spec.document_id,
      run: spec.run,
      brand: names.brand_name,
      area: names.area,
      property: names.property_name,
      file_name: spec.file_name,
      url,
      size_bytes: spec.size_bytes,
      sha256: spec.sha256,
      is_protected: spec.is_protected,
    },
  };
});
