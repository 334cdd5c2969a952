-- Also keeps the image jobs of archived and deleted projects from being renamed.
create trigger require_open_project before update of name on public.image_jobs
  for each row execute function private.require_open_project();
