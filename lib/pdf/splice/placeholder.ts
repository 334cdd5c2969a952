import sharp from 'sharp';

// Chromium copies the bytes of a JPEG into the PDF. Each image is therefore printed as a tiny JPEG whose comment holds
// a name. When the parts are joined, the real image replaces the tiny JPEG.
const MARK = 'atelier:';
const COMMENT = 0xfe;
const START_OF_SCAN = 0xda;

let tiny: Promise<Buffer> | undefined;

async function makeTiny(): Promise<Buffer> {
  const grey = { width: 8, height: 8, channels: 3, background: '#808080' } as const;
  return sharp({ create: grey }).jpeg({ quality: 20, optimiseCoding: true }).toBuffer();
}

/** Returns a function that makes the data URL of a placeholder from the placeholder's name. */
export async function makePlaceholders(): Promise<(name: string) => string> {
  tiny ??= makeTiny().catch((error: unknown) => {
    // Do not keep the rejected promise, so that the next call tries again.
    tiny = undefined;
    throw error;
  });
  const jpeg = await tiny;
  return (name) => {
    const marker = Buffer.from(MARK + name, 'latin1');
    const length = marker.length + 2;
    const comment = Buffer.from([0xff, COMMENT, length >> 8, length & 0xff, ...marker]);
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    return `data:image/jpeg;base64,${bytes.toString('base64')}`;
  };
}

/** Returns the name in a placeholder, or null for any other JPEG. Segments are read as in ISO 10918-1, B.1.1. */
export function placeholderName(jpeg: Uint8Array): string | null {
  let at = 2;
  while (jpeg[at] === 0xff && jpeg[at + 1] !== START_OF_SCAN) {
    const length = ((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0);
    const marker = Buffer.from(jpeg.subarray(at + 4, at + 2 + length)).toString('latin1');
    if (jpeg[at + 1] === COMMENT && marker.startsWith(MARK)) return marker.slice(MARK.length);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}
