import type { Metadata, Viewport } from 'next';

/** The metadata of all pages, for both root layouts. */
export const siteMetadata: Metadata = {
  title: { default: 'Atelier', template: '%s · Atelier' },
  description: 'Images, documents and specs for design studios.',
  robots: { index: false, follow: false },
};

/** The color schemes of all pages, for both root layouts. */
export const siteViewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#161417' },
  ],
};
