import { expect, test } from 'vitest';
import { unprintedCharacters } from '@/components/editor/inspector/missing-characters';
import { textElement } from '@/lib/document/page-model';
import type { Range } from '@/lib/document/printed-characters';
import { text } from './support/editor-actions';

test('a sign that may be in a font of the project is not reported missing while text is edited', () => {
  const ascii: Range[] = [[0x20, 0x7e]];
  const missingIn = (font: string | null) => [
    ...unprintedCharacters(
      textElement.parse({ ...text('t', 'A \uE000'), font }),
      { all: ascii, named: ascii },
      [{ name: 'Signs' }],
    ),
  ];
  expect(missingIn('Signs')).toEqual([]);
  // The font `Removed` is no longer in the project.
  expect([null, 'Lora', 'Removed'].map(missingIn)).toEqual([['\uE000'], ['\uE000'], ['\uE000']]);
});
