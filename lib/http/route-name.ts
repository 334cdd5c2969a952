/** What Next passes to a route handler besides the request. */
export type NextContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** The decoded path segment, or the segment itself when its encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path with parameter names instead of their values: what all calls of a route have in common. */
export async function routeName(path: string, { params }: NextContext): Promise<string> {
  const names = new Map(
    // A route without parameters gets `undefined`.
    Object.entries((await params) ?? {}).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((part) => [decoded(part), `{${name}}`] as const),
    ),
  );
  // Compare decoded: otherwise a client could create any number of route names by varying the encoding.
  return path
    .split('/')
    .map((part) => names.get(decoded(part)) ?? part)
    .join('/');
}
