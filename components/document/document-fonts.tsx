'use client';

import '@fontsource/noto-sans/400.css';
import '@fontsource/noto-sans/400-italic.css';
import '@fontsource/noto-sans/700.css';
import '@fontsource/noto-sans/700-italic.css';
import '@fontsource/noto-sans-arabic/400.css';
import '@fontsource/noto-sans-arabic/700.css';
import '@fontsource/noto-sans-hebrew/400.css';
import '@fontsource/noto-sans-hebrew/700.css';
import '@fontsource/noto-sans-devanagari/400.css';
import '@fontsource/noto-sans-devanagari/700.css';
import '@fontsource/noto-sans-thai/400.css';
import '@fontsource/noto-sans-thai/700.css';
import '@fontsource/noto-sans-georgian/400.css';
import '@fontsource/noto-sans-georgian/700.css';
import '@fontsource/noto-sans-armenian/400.css';
import '@fontsource/noto-sans-armenian/700.css';
import '@fontsource/noto-sans-bengali/400.css';
import '@fontsource/noto-sans-bengali/700.css';
import '@fontsource/noto-sans-tamil/400.css';
import '@fontsource/noto-sans-tamil/700.css';
import '@fontsource/noto-sans-khmer/400.css';
import '@fontsource/noto-sans-khmer/700.css';
import '@fontsource/noto-sans-ethiopic/400.css';
import '@fontsource/noto-sans-ethiopic/700.css';
import '@fontsource/noto-sans-symbols/400.css';
import '@fontsource/noto-sans-symbols/700.css';
import './document-fonts.css';
import { useEffect } from 'react';

/**
 * Loads the CSS rules of the document fonts and renders nothing. The browser fetches only the font files that the text
 * needs. The rules of the font library load after the page. The rules for Chinese, Japanese and Korean load only if a
 * document needs them (see `useCjkFonts`).
 */
export function DocumentFonts(): null {
  useEffect(() => {
    // If this fails, for example offline, text in library fonts is shown in the standard font.
    import('./library-fonts').catch(() => undefined);
  }, []);
  return null;
}
