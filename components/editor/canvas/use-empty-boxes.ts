import { useEffect } from 'react';
import { BOX_FAMILY, boxFont, unicodeRangeWithout } from '@/lib/document/box-font';
import { usePrintedCharacters } from '../use-printed-characters';

/**
 * Shows an empty box for each character that exports cannot print, because no font of the browser that prints them
 * contains it. Otherwise, the user's browser would show the character in one of the device's fonts.
 */
export function useEmptyBoxes(): void {
  const printed = usePrintedCharacters();
  useEffect(() => {
    if (!printed) return;
    const unicodeRange = unicodeRangeWithout(printed.all);
    const face = new FontFace(BOX_FAMILY, boxFont(), { weight: '100 900', unicodeRange });
    document.fonts.add(face);
    return () => {
      document.fonts.delete(face);
    };
  }, [printed]);
}
