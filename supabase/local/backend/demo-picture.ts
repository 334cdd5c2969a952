import { createHash } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';

// Ids from `seed.sql`. SQL cannot upload the picture that the seeded pages show, so this module uploads it.
const PROJECT = 'b0000000-0000-4000-8000-000000000001';
const IMAGE = 'c0000000-0000-4000-8000-000000000001';
const OWNER = 'a0000000-0000-4000-8000-000000000001';
const WIDTH = 1800;
const HEIGHT = 760;

function loft(x: number, width: number, top: number, color: string): string {
  const base = 500;
  const roof = `${x},${top} ${x + width / 2},${top - width * 0.34} ${x + width},${top}`;
  const windows = Array.from({ length: 9 }, (_, index) => {
    const left = x + width * (0.16 + (index % 3) * 0.26);
    const y = top + 30 + Math.floor(index / 3) * ((base - top - 40) / 3);
    const light = (index * 7 + x) % 3 === 0 ? '#f3c77b' : '#34424f';
    return `<rect x="${left}" y="${y}" width="${width * 0.15}" height="${(base - top) / 6}" fill="${light}"/>`;
  });
  return `<polygon points="${roof}" fill="#3f3a3c"/>
    <rect x="${x}" y="${top}" width="${width}" height="${base - top}" fill="${color}"/>${windows.join('')}`;
}

function wave(index: number): string {
  const y = 530 + index * 24;
  const x = (index * 317) % 1300;
  return `<path d="M${x} ${y} q60 -9 120 0 t120 0 t120 0" stroke="#ffffff" stroke-opacity="0.28" stroke-width="4" fill="none"/>`;
}

/** Draws the sail lofts of the demo project at dusk, as a JPEG. */
function drawHarbor(): Promise<Buffer> {
  const lofts = [
    loft(90, 250, 250, '#b5654a'),
    loft(360, 190, 320, '#d9c7a8'),
    loft(570, 300, 210, '#8c4f3d'),
    loft(900, 210, 300, '#e7e0d4'),
    loft(1130, 260, 240, '#a8735a'),
    loft(1410, 220, 330, '#c9b48f'),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#27405a"/><stop offset="0.6" stop-color="#c58f7c"/><stop offset="1" stop-color="#f0cf9c"/>
      </linearGradient>
      <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#7d6a6c"/><stop offset="1" stop-color="#1f3a4d"/>
      </linearGradient>
    </defs>
    <rect width="${WIDTH}" height="500" fill="url(#sky)"/>
    <circle cx="1620" cy="230" r="62" fill="#fbe3b4"/>
    ${lofts.join('')}
    <rect y="500" width="${WIDTH}" height="260" fill="url(#sea)"/>
    <rect y="494" width="${WIDTH}" height="14" fill="#4b4244"/>
    ${Array.from({ length: 9 }, (_, index) => wave(index)).join('')}
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 84 }).toBuffer();
}

/**
 * Uploads the demo project's picture, unless the project no longer exists or already has it. Throws if a request to the
 * backend fails.
 */
export async function storeDemoPicture({
  url,
  secretKey,
}: {
  url: string;
  secretKey: string;
}): Promise<void> {
  const db = createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const [projects, images] = await Promise.all([
    db.from('projects').select('id').eq('id', PROJECT).throwOnError(),
    db.from('document_images').select('id').eq('id', IMAGE).throwOnError(),
  ]);
  if (projects.data.length === 0 || images.data.length > 0) return;
  const file = await drawHarbor();
  const key = `projects/${PROJECT}/inputs/${IMAGE}.jpeg`;
  const stored = await db.storage
    .from('images')
    .upload(key, file, { contentType: 'image/jpeg', upsert: true });
  if (stored.error) throw stored.error;
  await db
    .rpc('create_project_image', {
      p_user: OWNER,
      p_project: PROJECT,
      p_id: IMAGE,
      p_storage_path: `images/${key}`,
      p_file_name: 'Sail lofts at dusk.jpeg',
      p_mime_type: 'image/jpeg',
      p_size_bytes: file.byteLength,
      p_width: WIDTH,
      p_height: HEIGHT,
      p_sha256: createHash('sha256').update(file).digest('hex'),
    })
    .throwOnError();
}
