/** Languages that share characters but draw them differently. */
export type CjkLanguage = 'zh' | 'ja' | 'ko';

/** Noto Sans comes in these parts, keyed by the subset in the package; the first part that has a character draws it. */
export const sansParts = {
  latin: 'Noto Sans',
  'latin-ext': 'Noto Sans Part Latin Ext',
  vietnamese: 'Noto Sans Part Vietnamese',
  greek: 'Noto Sans Part Greek',
  'greek-ext': 'Noto Sans Part Greek Ext',
  devanagari: 'Noto Sans Part Devanagari',
  cyrillic: 'Noto Sans Part Cyrillic',
  'cyrillic-ext': 'Noto Sans Part Cyrillic Ext',
};
const scripts = ['Noto Sans Arabic', 'Noto Sans Hebrew', 'Noto Sans Devanagari', 'Noto Sans Thai'];
const signs = ['Noto Sans Symbols', 'Noto Sans Math'];
const [chinese, japanese, korean] = ['Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];
const cjk: Record<CjkLanguage, string[]> = {
  zh: [chinese, japanese, korean],
  ja: [japanese, chinese, korean],
  ko: [korean, japanese, chinese],
};

/**
 * The font families of a document in the order of their priority; among fonts that share characters, those for `language`
 * come first. On a web page the parts of Noto Sans are one family with ranges; fontconfig has no ranges, so each part is
 * a family of its own where we print, which web pages can ignore.
 */
export function fontFamilies(language: CjkLanguage = 'zh'): string[] {
  return [...Object.values(sansParts), ...scripts, ...signs, ...cjk[language], 'Noto Color Emoji'];
}

/** The same as a CSS value; none of the names needs quotes. */
export function fontStack(language?: CjkLanguage): string {
  return [...fontFamilies(language), 'sans-serif'].join(', ');
}

/** The CJK language of a text; undefined for any other text. */
export function cjkLanguage(text: string): CjkLanguage | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh' : undefined;
}
