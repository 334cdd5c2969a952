/** Nothing runs, and nothing is loaded but images from one place; fonts may come in the page itself. */
export function documentPolicy(imageSource: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src ${imageSource}; base-uri 'none'; form-action 'none'`;
}
