import type { Sql } from 'postgres';

const STATUSES = ['succeeded', 'failed', 'canceled'];

/**
 * Inserts jobs into a project, with triggers disabled. Each job has a message, a run and, if it succeeded, one variant.
 */
export async function fillJobs(sql: Sql, projectId: string, jobs: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      create temporary table filled on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as message_id, i,
             now() - make_interval(secs => i) as at, (${STATUSES}::text[])[1 + i % 3] as status
        from generate_series(1, ${jobs}) i`;
    await tx`
      insert into public.image_jobs (id, project_id, prompt, status, error_code, created_at, updated_at, finished_at)
      select id, ${projectId}, 'A lobby ' || i, status, case status when 'failed' then 'workflow_failed' end, at, at, at
        from filled`;
    await tx`insert into public.image_messages (id, job_id, ordinal, prompt, created_at)
             select message_id, id, 1, 'A lobby ' || i, at from filled`;
    await tx`insert into public.image_runs (job_id, run, message_id, status, created_at, finished_at)
             select id, 1, message_id, status, at, at from filled`;
    await tx`
      insert into public.image_variants
             (job_id, project_id, run, variant_id, position, number, path, width, height, created_at)
      select id, ${projectId}, 1, 'v1', 1, 1, 'images/projects/' || ${projectId} || '/jobs/' || id || '/1/1', 1024, 1024, at
        from filled where status = 'succeeded'`;
  });
}
