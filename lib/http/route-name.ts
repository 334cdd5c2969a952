/** What Next passes to a route handler besides the request. */
export type NextContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Returns the decoded path segment, or the segment itself if its encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the path with parameter names instead of their values, so that calls to the same route get the same name.
 * Calls to the same route can still get different names in two cases. If another part of the path happens to equal a
 * parameter's value, that part is replaced as well. A catch-all parameter is repeated for each of its parts.
 */
export async function routeName(path: string, { params }: NextContext): Promise<string> {
  const names = new Map(
    // For a route without parameters, Next passes `undefined`.
    Object.entries((await params) ?? {}).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).flatMap((part) =>
        [part, decoded(part)].map((key) => [key, `{${name}}`] as const),
      ),
    ),
  );
  // Next decodes a value once or not at all, so compare the parts with and without decoding. Otherwise, a client could
  // create any number of route names by varying the encoding.
  return path
    .split('/')
    .map((part) => names.get(part) ?? names.get(decoded(part)) ?? part)
    .join('/');
}
