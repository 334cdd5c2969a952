import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { xmpMetadata } from '@/lib/pdf/splice/xmp-metadata';

test('any title makes well-formed metadata', () => {
  const title = 'A & B <"東京"> \uFFFE\uFFFF';
  const xml = xmpMetadata({ title, language: 'en', isPdfA: true });
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (text) => texts.push(text));
  parser.write(xml.toString()).close();
  expect(texts).toContain('A & B <"東京"> ');
});
