import type { Source } from './schema';

const polyHaven: Source = {
  name: 'Poly Haven',
  url: 'https://polyhaven.com',
  license: 'CC0-1.0',
  credit: 'Powered by Poly Haven',
};

const samples: Source = {
  name: 'Sample library',
  url: null,
  license: 'CC0-1.0',
  credit: 'Sample materials, made up for trying things out',
};

/** Whom the materials are credited to. A library on this very machine is the made-up one; a mirror changes nothing. */
export function sourceOf(libraryUrl: string): Source {
  const { hostname } = new URL(libraryUrl);
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? samples : polyHaven;
}

/** The page of an asset at its source; null when there is none. */
export function pageUrl(source: Source, id: string): string | null {
  return source.url && `${source.url}/a/${id}`;
}
