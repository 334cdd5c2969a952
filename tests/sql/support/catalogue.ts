import type { Sql } from 'postgres';

/**
 * Returns the definition of everything in the schemas `public` and `private`, and of what belongs to them elsewhere
 * (triggers, policies, buckets, default privileges), by kind and name.
 */
export async function readCatalogue(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; definition: string }[]>`
    with spaces as (select oid from pg_namespace where nspname in ('public', 'private')),
    rights as (
      select oid, 'schema' as kind, nspacl as acl from pg_namespace where nspname = 'private'
      union all select oid, 'function', coalesce(proacl, acldefault('f', proowner)) from pg_proc
        where pronamespace in (select oid from spaces)
      union all select oid, 'relation',
          coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)) from pg_class
        where relnamespace in (select oid from spaces) and relkind in ('r', 'p', 'v', 'S')
      union all select oid, 'default privileges', defaclacl from pg_default_acl
    ),
    found as (
      select 'schema' as kind, oid, nspname::text as name, null as definition from pg_namespace where nspname = 'private'
      union all
      select 'function', oid, oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc
       where pronamespace in (select oid from spaces)
      union all
      select 'relation', oid, oid::regclass::text,
             concat_ws(' ', relkind, relrowsecurity, reloptions, case when relkind = 'v' then pg_get_viewdef(oid) end)
        from pg_class where relnamespace in (select oid from spaces) and relkind in ('r', 'p', 'v', 'S')
      union all
      select 'column', null, a.attrelid::regclass || '.' || a.attname,
             concat_ws(' ', row_number() over (partition by a.attrelid order by a.attnum),
               format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
               pg_get_expr(d.adbin, d.adrelid), a.attacl)
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where c.relnamespace in (select oid from spaces) and c.relkind in ('r', 'p', 'v', 'c') and a.attnum > 0
         and not a.attisdropped
      union all
      select 'constraint', null, conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint
       where connamespace in (select oid from spaces) and conrelid <> 0 and contype <> 'n'
      union all
      select 'index', null, indexrelid::regclass::text, pg_get_indexdef(indexrelid)
        from pg_index join pg_class c on c.oid = indrelid where c.relnamespace in (select oid from spaces)
      union all
      select 'type', null, oid::regtype::text, typtype::text from pg_type
       where typnamespace in (select oid from spaces) and typtype in ('d', 'e', 'r')
      union all
      select 'policy', null, schemaname || '.' || tablename || ' ' || policyname,
             concat_ws(' ', permissive, roles, cmd, qual, with_check) from pg_policies
      union all
      select 'trigger', null, tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(t.oid)
        from pg_trigger t join pg_proc p on p.oid = tgfoid
       where not tgisinternal and p.pronamespace in (select oid from spaces)
      union all
      select 'default privileges', oid, concat_ws(' ', defaclnamespace::regnamespace, defaclobjtype, defaclrole::regrole), null
        from pg_default_acl
      union all
      select 'bucket', null, id, concat_ws(' ', name, public, file_size_limit, allowed_mime_types) from storage.buckets
      union all
      select 'extension', null, extname::text, extnamespace::regnamespace::text from pg_extension
    )
    select kind || ' ' || name as name,
           concat_ws(E'\n', definition, obj_description(found.oid), (
             select string_agg(a::text, ' ' order by a::text) from rights, unnest(rights.acl) a
              where rights.oid = found.oid and rights.kind = found.kind)) as definition
      from found`;
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}
