import { deflateSync } from 'node:zlib';

type RawPdf = {
  /** The bodies of objects 1, 2, 3 …; object 1 is the catalog. */
  objects: (string | Buffer)[];
  /** The entries of the trailer in addition to `/Size` and `/Root`. */
  trailer?: string;
  /** The offset to write after `startxref`. Default: the actual offset of the table. */
  startxref?: number;
};

/** Objects 1 to 3: a catalog and a page tree with one page. */
export const onePage = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
];

/** Returns a stream object with these bytes, compressed. */
function flateStream(dictionary: string, bytes: Buffer): Buffer {
  const packed = deflateSync(bytes);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}

/** Writes a PDF object by object with a plain cross-reference table, so a test can introduce any error. */
export function rawPdf({ objects, trailer = '', startxref }: RawPdf): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    offsets.push(at);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    at += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${startxref ?? at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Returns a page with text in a font that is not embedded. A predefined CMap gives the characters of its codes. */
export function japanesePdf(cMap: string, codes: string): Buffer {
  const content = `BT /F1 20 Tf 10 40 Td <${codes}> Tj ET`;
  const name = '/BaseFont /HeiseiMin-W3';
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>';
  return rawPdf({
    objects: [
      ...onePage.slice(0, 2),
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /Font /Subtype /Type0 ${name} /Encoding /${cMap} /DescendantFonts [6 0 R] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 ${name} ${system} /FontDescriptor 7 0 R >>`,
      '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] >>',
    ],
  });
}

/** Returns a page that shows a red JPEG 2000 image of 8 × 8 pixels. */
export function jpeg2000Pdf(): Buffer {
  const image = Buffer.from(
    '/0//UQAvAAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEAAAQEAAH/XAAEQED/kAAKAAAAAABNAAH/k8+0SBQAXKNlXbAAAwkI1QoYSEv/f8+0SBFQVK/9oYgAAAAYSEWYQMJCX8+0SBFQVK/9oYgAAAAYSEWYQMJCX//Z',
    'base64',
  );
  const content = 'q 80 0 0 80 10 10 cm /I1 Do Q';
  return rawPdf({
    objects: [
      ...onePage.slice(0, 2),
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << /XObject << /I1 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      Buffer.concat([
        Buffer.from(
          `<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /Filter /JPXDecode /Length ${image.length} >>\nstream\n`,
        ),
        image,
        Buffer.from('\nendstream'),
      ]),
    ],
  });
}

/**
 * Returns a hybrid-reference PDF: old readers use only the cross-reference table, and newer ones also read the
 * cross-reference stream that the trailer names.
 */
export function hybridPdf(): Buffer {
  const plain = rawPdf({ objects: onePage });
  const table = plain.indexOf('xref\n0 4');
  const stream = Buffer.concat([
    Buffer.from('4 0 obj\n'),
    flateStream('/Type /XRef /Size 5 /W [1 2 1] /Index [4 1]', Buffer.from([1, table >> 8, table & 255, 0])),
    Buffer.from('\nendobj\n'),
  ]);
  const tail = plain
    .toString('latin1', table)
    .replace('/Root', `/XRefStm ${table} /Root`)
    .replace(/startxref\n\d+/, `startxref\n${table + stream.length}`);
  return Buffer.concat([plain.subarray(0, table), stream, Buffer.from(tail, 'latin1')]);
}

/** Returns a file that is cut off after an object stream that contains the catalog and all pages. */
export function cutOffCompressedPdf(): Buffer {
  const texts = onePage.map((text) => `${text} `);
  const starts = texts.map((_, i) => texts.slice(0, i).join('').length);
  const head = `${starts.map((start, i) => `${i + 1} ${start}`).join(' ')} `;
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n4 0 obj\n'),
    flateStream(`/Type /ObjStm /N 3 /First ${head.length}`, Buffer.from(head + texts.join(''))),
    Buffer.from('\nendobj\n5 0 obj\n<< /Type /XR'),
  ]);
}
