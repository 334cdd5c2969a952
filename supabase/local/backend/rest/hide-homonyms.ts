import type { PostgresConnection } from '@supabase/lite/postgres';

type Introspection = Awaited<ReturnType<PostgresConnection['introspect']>>;

/**
 * While `isActive` returns true, hides tables and views of other schemas if the schema `exposed` has one with the same
 * name. @supabase/lite looks up an embedded table by its unqualified name, so a table `public.messages` would also get
 * the columns of `realtime.messages`.
 */
export function hideHomonyms(connection: PostgresConnection, exposed: string, isActive: () => boolean): void {
  const introspect = connection.introspect.bind(connection);
  const known = new WeakMap<Introspection, Introspection>();
  connection.introspect = async (options) => {
    const found = await introspect(options);
    if (!isActive()) return found;
    const kept = known.get(found) ?? withoutHomonyms(found, exposed);
    known.set(found, kept);
    return kept;
  };
}

function withoutHomonyms(found: Introspection, exposed: string): Introspection {
  const names = new Set(
    [...found.tables, ...found.views].flatMap(({ schema, name }) => (schema === exposed ? name : [])),
  );
  const isShown = (schema: string | undefined, table: string) => schema === exposed || !names.has(table);
  const ofTable = ({ schema, table }: { schema: string; table: string }) => isShown(schema, table);
  const named = ({ schema, name }: { schema: string; name: string }) => isShown(schema, name);
  return {
    ...found,
    tables: found.tables.filter(named),
    views: found.views.filter(named),
    columns: found.columns.filter(ofTable),
    indexes: found.indexes.filter(ofTable),
    primary_keys: found.primary_keys.filter(ofTable),
    check_constraints: found.check_constraints.filter(ofTable),
    unique_constraints: found.unique_constraints.filter(ofTable),
    comments: found.comments.filter(ofTable),
    triggers: found.triggers.filter(ofTable),
    foreign_keys: found.foreign_keys.filter(
      (key) => ofTable(key) && isShown(key.ref_schema ?? key.schema, key.ref_table),
    ),
  };
}
