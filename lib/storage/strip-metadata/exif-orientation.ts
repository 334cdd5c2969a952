/** The first bytes of EXIF data in a JPEG. Some programs also write them in a PNG. */
export const exifSignature = Buffer.from('Exif\0\0', 'latin1');

const IFD_ENTRY_BYTES = 12;
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/** Returns the orientation in EXIF data, from 1 to 8; 1 if the data has none or is malformed. */
export function exifOrientation(exif: Buffer): number {
  const tiff = exif.indexOf(exifSignature) === 0 ? exif.subarray(exifSignature.byteLength) : exif;
  const byteOrder = tiff.toString('latin1', 0, 4);
  if (byteOrder !== 'II*\0' && byteOrder !== 'MM\0*') return 1;
  const isLittle = byteOrder === 'II*\0';
  const short = (at: number) => {
    if (at + 2 > tiff.byteLength) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  if (tiff.byteLength < 8) return 1;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let index = 0; index < short(directory); index++) {
    const entry = directory + 2 + index * IFD_ENTRY_BYTES;
    if (short(entry) !== ORIENTATION_TAG || short(entry + 2) !== SHORT) continue;
    const orientation = short(entry + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** Returns EXIF data that contains only an orientation. */
export function orientationExif(orientation: number): Buffer {
  // The header, one directory entry, and no further directory.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
