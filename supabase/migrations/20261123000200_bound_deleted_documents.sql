-- As before, but a project keeps only its 100 most recently deleted documents. Documents that were deleted earlier are
-- removed with their versions, exports and share links. Without this limit, repeated creation and deletion could fill
-- the database, because deleted documents are kept for 30 days.
create or replace function public.delete_document(p_project uuid, p_document uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set deleted_at = clock_timestamp()
   where id = p_document and project_id = p_project and id <> project_id and deleted_at is null;
  if not found then return false; end if;
  delete from public.project_pages where id = any (array(
    select id from public.project_pages where project_id = p_project and deleted_at is not null
     order by deleted_at desc, id desc offset 100));
  return true;
end $$;
