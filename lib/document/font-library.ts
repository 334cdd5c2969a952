type LibraryFont = { name: string; kind: 'Sans serif' | 'Serif' | 'Display' | 'Monospaced'; package: string };

/** The font of text that names no other. */
export const STANDARD_FONT = 'Noto Sans';

/** The open font families that every document can use besides the standard one, with their packages. */
export const fontLibrary: readonly LibraryFont[] = [
  { name: 'DM Sans', kind: 'Sans serif', package: 'dm-sans' },
  { name: 'IBM Plex Sans', kind: 'Sans serif', package: 'ibm-plex-sans' },
  { name: 'Jost', kind: 'Sans serif', package: 'jost' },
  { name: 'Montserrat', kind: 'Sans serif', package: 'montserrat' },
  { name: 'Work Sans', kind: 'Sans serif', package: 'work-sans' },
  { name: 'EB Garamond', kind: 'Serif', package: 'eb-garamond' },
  { name: 'Libre Baskerville', kind: 'Serif', package: 'libre-baskerville' },
  { name: 'Lora', kind: 'Serif', package: 'lora' },
  { name: 'Cormorant Garamond', kind: 'Display', package: 'cormorant-garamond' },
  { name: 'DM Serif Display', kind: 'Display', package: 'dm-serif-display' },
  { name: 'Playfair Display', kind: 'Display', package: 'playfair-display' },
  { name: 'IBM Plex Mono', kind: 'Monospaced', package: 'ibm-plex-mono' },
];
const names = new Set([STANDARD_FONT, ...fontLibrary.map(({ name }) => name)]);

/**
 * Returns whether the library has a font, so every document can use it. Other names are those of fonts that a project
 * uploaded.
 */
export const isLibraryFont = (name: string): boolean => names.has(name);

/**
 * Returns the CSS name of a font. The name of an uploaded font is built from its code points, so it needs no quotes
 * (which the document's style sheet must not contain) and cannot equal a CSS keyword or an installed font.
 */
export function cssFontName(name: string): string {
  if (isLibraryFont(name)) return name;
  return `own-${[...name].map((character) => character.codePointAt(0)?.toString(16)).join('-')}`;
}
