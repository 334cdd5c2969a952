-- The sanitized drawing of an image that was uploaded as an SVG. The image's file in storage is a PNG of the drawing.
-- The app uses the drawing for exports and for copies of the image, and sends only the PNG to users' browsers.
alter table public.document_images add column svg text check (octet_length(svg) <= 262144);

-- Records a stored file as an image of the project. With `p_reuse`, returns an existing image of the project with the
-- same bytes (for an SVG, with the same drawing) if there is one. A repeated call with the same idempotency key returns
-- the image of the first call. If the path of the returned image is not `p_storage_path`, the caller must remove the
-- file that it stored.
-- outcome: created (with the image) | idempotency_mismatch
drop function public.create_project_image(uuid, uuid, uuid, text, text, text, bigint, int, int, text, boolean, text, text);
create function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_svg text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'document_images', p_idempotency_key, p_request_sha256);
  v_image public.document_images;
begin
  if v_answer is not null then return v_answer; end if;
  if p_reuse then
    -- Without this lock, two concurrent calls would not see each other's image.
    perform 1 from public.projects where id = p_project for update;
    select * into v_image from public.document_images
     where project_id = p_project and sha256 = p_sha256 order by created_at, id limit 1;
  end if;
  if v_image.id is null then
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height,
      sha256, created_by, svg)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user,
      p_svg)
    returning * into v_image;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_answer);
end $$;

-- Returns the SVG drawings of the given images of a project, up to 8 MB in total. The limit exists because an export
-- holds the drawings in memory. For an image whose drawing is left out, the export prints the PNG.
create function public.project_image_drawings(p_project uuid, p_paths text[])
returns table (path text, svg text)
language sql stable set search_path = '' as $$
  select d.path, d.svg
    from (select i.storage_path as path, i.svg, sum(octet_length(i.svg)) over (order by i.storage_path) as total
            from public.document_images i
           where i.project_id = p_project and i.storage_path = any (p_paths) and i.svg is not null) d
   where d.total <= 8388608
$$;

revoke execute on function
  public.create_project_image(uuid, uuid, uuid, text, text, text, bigint, int, int, text, boolean, text, text, text),
  public.project_image_drawings(uuid, text[]) from public, anon, authenticated;
grant execute on function
  public.create_project_image(uuid, uuid, uuid, text, text, text, bigint, int, int, text, boolean, text, text, text),
  public.project_image_drawings(uuid, text[]) to service_role;
