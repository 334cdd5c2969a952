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
    credit: 'Sample materials for trying things out',
  },
} satisfies Record<string, Source>;
export type SourceName = keyof typeof sources;

/**
 * The source to credit: the named one, which a local mirror has to set. Otherwise a library at a loopback address is the
 * sample library.
 */
export function sourceOf(libraryUrl: string, name?: SourceName): Source {
  const { hostname } = new URL(libraryUrl);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return sources[name ?? (isLoopback ? 'sample' : 'polyhaven')];
}

/** The page of an asset at its source, or null. */
export function pageUrl(source: Source, id: string): string | null {
  return source.url && `${source.url}/a/${id}`;
}
