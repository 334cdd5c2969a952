/**
 * Turns a PDF with a plain xref table into one that looks web-optimized. The result starts with a `/Linearized` object
 * and a first cross-reference section with `startxref 0` and `%%EOF`. The body and the main table follow. Readers
 * accept the result as valid, though it lacks the hint tables that would speed up the display of its first page.
 */
export function linearizePdf(plain: Uint8Array): Uint8Array {
  const file = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
  const headerEnd = file.indexOf('\n\n') + 1;
  const xrefStart = file.lastIndexOf('\nxref\n') + 1;
  const tail = file.toString('latin1', xrefStart);
  const trailer = /trailer\s*<<([\s\S]*?)>>/.exec(tail)?.[1];
  const size = Number(/\/Size (\d+)/.exec(trailer ?? '')?.[1]);
  const oldOffset = /startxref\s+(\d+)/.exec(tail)?.[1];
  if (!trailer || !oldOffset || headerEnd === 0 || xrefStart === 0 || !size)
    throw new Error('not a PDF with a plain xref table');

  const head = (shift: number) => {
    const dictionary = (length: number) =>
      `${size} 0 obj\n<< /Linearized 1 /L ${padded(length)} /T ${padded(xrefStart + shift)} >>\nendobj\n`;
    const xrefOffset = headerEnd + dictionary(0).length;
    const linearized = dictionary(file.length + shift + String(xrefOffset).length - oldOffset.length);
    const entry = `${padded(headerEnd)} 00000 n \n`;
    const dict = trailer.replace(/\/Size \d+/, `/Size ${size + 1} /Prev ${padded(xrefStart + shift)}`);
    const xref = `xref\n${size} 1\n${entry}trailer\n<<${dict}>>\nstartxref\n0\n%%EOF\n`;
    return { text: linearized + xref, xrefOffset };
  };
  // Offsets and lengths in the head are padded to ten digits, so the length of the head does not depend on them.
  const shift = head(0).text.length;
  const { text, xrefOffset } = head(shift);
  const shiftedTail = tail
    .replace(
      /^(\d{10}) (\d{5}) n/gm,
      (_, offset, generation) => `${padded(Number(offset) + shift)} ${generation} n`,
    )
    .replace(/startxref\s+\d+/, `startxref\n${xrefOffset}`);
  return Buffer.concat([
    file.subarray(0, headerEnd),
    Buffer.from(text, 'latin1'),
    file.subarray(headerEnd, xrefStart),
    Buffer.from(shiftedTail, 'latin1'),
  ]);
}

function padded(offset: number): string {
  return String(offset).padStart(10, '0');
}
