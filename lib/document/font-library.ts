type LibraryFont = { name: string; kind: 'Sans serif' | 'Serif' | 'Display' | 'Monospaced'; package: string };

/** Font of text without a font setting. */
export const STANDARD_FONT = 'Noto Sans';

/**
 * The open-source font families that every document can use in addition to the standard one, and their npm packages.
 */
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
 * Returns whether every document can use a font, because it is the standard one or in the library. Any other font must
 * be uploaded to the project.
 */
export const isLibraryFont = (name: string): boolean => names.has(name);

const OWN = 'own-';

/**
 * Returns the CSS name of a font. An uploaded font's CSS name is built from the code points of its name. Such a CSS
 * name cannot equal a CSS keyword or the name of an installed font. It also needs no quotes, which the document's style
 * sheet must not contain.
 */
export function cssFontName(name: string): string {
  if (isLibraryFont(name)) return name;
  return `${OWN}${[...name].map((character) => character.codePointAt(0)?.toString(16)).join('-')}`;
}

/** Returns the name of the font that has a CSS name from `cssFontName`. */
export function fontOfCssName(cssName: string): string {
  if (!cssName.startsWith(OWN)) return cssName;
  const points = cssName.slice(OWN.length).split('-');
  return String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16)));
}
