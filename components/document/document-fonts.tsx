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
import '@fontsource/noto-sans-symbols/400.css';
import '@fontsource/noto-sans-symbols/700.css';
import './document-fonts.css';
import { useEffect } from 'react';

/**
 * The fonts of documents for a page that shows some; draws nothing itself. The browser loads only what the words need.
 * The rules for Chinese, Japanese and Korean alone are half a megabyte, so they come after the page.
 */
export function DocumentFonts(): null {
  useEffect(() => {
    // Offline they stay away, and the machine's own fonts serve.
    import('./cjk-fonts').catch(() => undefined);
  }, []);
  return null;
}
