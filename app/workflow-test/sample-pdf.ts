const lines = [
  '/F 24 Tf 72 740 Td (Sample spec) Tj',
  '/F 16 Tf 0 -60 Td (1. Seating) Tj',
  '/F 11 Tf 0 -24 Td (Oak benches with wool cushions.) Tj',
  '/F 16 Tf 0 -48 Td (2. Lighting) Tj',
  '/F 11 Tf 0 -24 Td (Warm light, 2700 K.) Tj',
];
const content = `BT ${lines.join(' ')} ET`;

const objects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

/** Returns the PDF that a test sends: one page with two numbered headings. */
export function samplePdf(): Uint8Array {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const start = file.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
