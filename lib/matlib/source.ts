import type { Source } from './schema';

const sources = {
  polyhaven: {
    name: 'Poly Haven',
    url: 'https://polyhaven.com',
    license: 'CC0-1.0',
    credit: 'Powered by Poly Haven',
  },
  sample: {
    name: 'Sample library',
    url: null,
    license: 'CC0-1.0',
    credit: 'Sample materials',
  },
} satisfies Record<string, Source>;
export type SourceName = keyof typeof sources;

/**
 * Returns the source to credit. If `name` is given, it selects the source. Otherwise, a library at a loopback address
 * counts as the sample library, and any other library as Poly Haven. A local mirror of Poly Haven therefore needs a
 * `name`.
 */
export function sourceOf(libraryUrl: string, name?: SourceName): Source {
  const { hostname } = new URL(libraryUrl);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return sources[name ?? (isLoopback ? 'sample' : 'polyhaven')];
}

/** Returns the URL of an asset's page at its source, or null if the source has no pages. */
export function pageUrl(source: Source, id: string): string | null {
  return source.url && `${source.url}/a/${id}`;
}
