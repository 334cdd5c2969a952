// Draws the SVG from stdin and writes it to stdout as a PNG in base64. Writes nothing if the SVG cannot be drawn. Runs
// in a separate process, because drawing cannot be canceled, and a small SVG can take minutes.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

const png = await sharp(await buffer(process.stdin))
  .png()
  .toBuffer()
  .catch(() => Buffer.alloc(0));
process.stdout.write(png.toString('base64'));
