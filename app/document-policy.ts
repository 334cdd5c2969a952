/**
 * Returns the content security policy of a document: no scripts, only inline styles and embedded fonts, and images only
 * from `imageSource`.
 */
export function documentPolicy(imageSource: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src ${imageSource}; base-uri 'none'; form-action 'none'`;
}
