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
    credit: 'Sample materials, made up for trying things out',
  },
} satisfies Record<string, Source>;
export type SourceName = keyof typeof sources;

/**
 * Whom the materials are credited to: the named source, which a mirror on this very machine has to name. Otherwise a
 * library on a loopback address is the made-up one.
 */
export function sourceOf(libraryUrl: string, name?: SourceName): Source {
  const { hostname } = new URL(libraryUrl);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return sources[name ?? (isLoopback ? 'sample' : 'polyhaven')];
}

/** The page of an asset at its source; null when there is none. */
export function pageUrl(source: Source, id: string): string | null {
  return source.url && `${source.url}/a/${id}`;
}
