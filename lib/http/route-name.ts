/** What Next hands to a route handler besides the request. */
export type NextContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** A part of a path as it was meant; as it is where it is not well encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path with its parameters named instead of filled in: what all calls of a route have in common. */
export async function routeName(path: string, { params }: NextContext): Promise<string> {
  const names = new Map(
    // A route without parameters gets none at all.
    Object.entries((await params) ?? {}).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((part) => [decoded(part), `{${name}}`] as const),
    ),
  );
  // However its letters are encoded: else whoever calls could make names without end.
  return path
    .split('/')
    .map((part) => names.get(decoded(part)) ?? part)
    .join('/');
}
