const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const entriesOf = (value: object): [string, unknown][] => Object.entries(value);

/** Whether two values of JSON are equal, regardless of the order of fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const [entries, others] = [entriesOf(a), new Map(entriesOf(b))];
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  );
}

/** A value as JSON with sorted fields: equal values have the same text. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(entriesOf(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
