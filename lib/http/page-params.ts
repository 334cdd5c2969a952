/** The parameters of a page's URL, as Next passes them to the page. */
export type PageQuery = Record<string, string | string[] | undefined>;

/**
 * Returns the first value of a parameter, trimmed. Returns '' if the parameter is missing or contains a NUL or an
 * unpaired surrogate. Postgres can store neither of these, so no stored value could match such a parameter.
 */
export function readParam(params: PageQuery | URLSearchParams, name: string): string {
  const given = params instanceof URLSearchParams ? params.get(name) : params[name];
  const value = (Array.isArray(given) ? given[0] : given) ?? '';
  return value.includes('\0') || !value.isWellFormed() ? '' : value.trim();
}
