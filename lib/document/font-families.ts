/** Languages that share Han characters but need different glyphs for them. */
export type CjkLanguage = 'zh' | 'ja' | 'ko';

/**
 * The font family of each part of Noto Sans, keyed by the part's subset name in the npm package. A character is drawn
 * by the first part that contains it.
 */
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
const scripts = [
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Georgian',
  'Armenian',
  'Bengali',
  'Tamil',
  'Khmer',
  'Ethiopic',
].map((script) => `Noto Sans ${script}`);
const signs = ['Noto Sans Symbols', 'Noto Sans Math', 'DejaVu Sans'];
const [chinese, japanese, korean] = ['Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];
const cjk: Record<CjkLanguage, string[]> = {
  zh: [chinese, japanese, korean],
  ja: [japanese, chinese, korean],
  ko: [korean, japanese, chinese],
};

/**
 * Returns the font families of a document in order of priority. Among the CJK fonts, the one for `language` comes
 * first. In print, each part of Noto Sans is a separate family, because Fontconfig does not support character ranges.
 * In the editor, `Noto Sans` is a single family with character ranges. The browser skips the other families of
 * `sansParts`, because they do not exist there.
 */
export function fontFamilies(language: CjkLanguage = 'zh'): string[] {
  return [...Object.values(sansParts), ...scripts, ...signs, ...cjk[language], 'Noto Color Emoji'];
}

/**
 * Returns the families from `fontFamilies` and their fallback as a CSS value. None of the names needs quotes.
 */
export function fontStack(language?: CjkLanguage): string {
  return [...fontFamilies(language), 'sans-serif'].join(', ');
}

/** Returns the CJK language that a string's scripts suggest, or undefined if the string has no CJK characters. */
export function cjkLanguage(text: string): CjkLanguage | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh' : undefined;
}
