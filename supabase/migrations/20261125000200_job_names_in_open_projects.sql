-- If a project is archived or deleted, also rejects new names of its image jobs.
create trigger require_open_project before update of name on public.image_jobs
  for each row execute function private.require_open_project();
