/**
 * Returns a copy of an object without the fields whose value is `undefined`, so that the copy equals an object that
 * never had them.
 */
export function withoutUndefined<Item extends object>(item: Item): Item {
  const kept = { ...item };
  for (const key in kept) if (kept[key] === undefined) Reflect.deleteProperty(kept, key);
  return kept;
}
