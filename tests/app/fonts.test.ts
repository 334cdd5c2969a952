import { beforeAll, expect, inject, test } from 'vitest';
import { fontsResponse } from '@/lib/fonts/schema';
import { restrictCmap } from '@/lib/pdf/fonts/code-points';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { damagedFonts, withMap } from '@/tests/app/support/damaged-fonts';
import { openDatabase } from '@/tests/app/support/database';
import { exported, onePage, textElement } from '@/tests/app/support/exports';
import { addFont, packedFont, sendFont, studioFont } from '@/tests/app/support/fonts';
import { signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';

const { url, env } = inject('atelier');
let member: Api;
let headers: Record<string, string>;
beforeAll(async () => {
  headers = (await signIn(env, 'member@atelier.test')).headers;
  member = apiAt(url, headers);
});

/** Returns the names of the fonts in a PDF without their subset prefixes. */
const fontsOf = async (pdf: Uint8Array) =>
  (await inspectPdf(Buffer.from(pdf))).fonts.map(({ name }) => name.replace(/^\/[A-Z]{6}\+/, ''));

const fontsIn = async (projectId: string) =>
  fontsResponse.parse((await member(`/api/projects/${projectId}/fonts`)).body).fonts;

test('a font of the studio is listed, served as it was uploaded, replaced by its next version, and removed', async () => {
  const projectId = await makeProject(member);
  const file = await studioFont('Studio Serif');
  const font = await addFont(member, projectId, file);
  expect(font).toMatchObject({ name: 'Studio Serif', bold: false, italic: false, fileName: 'studio.ttf' });
  const served = await fetch(`${url}/api/projects/${projectId}/fonts/${font.id}`, { headers });
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'font/sfnt',
    'content-disposition': 'attachment',
    'cache-control': expect.stringContaining('immutable'),
  });
  expect(Buffer.from(await served.arrayBuffer()).equals(file)).toBe(true);

  const bold = await addFont(member, projectId, await studioFont('Studio Serif', { bold: true }));
  const next = await addFont(member, projectId, file);
  expect((await fontsIn(projectId)).map(({ id }) => id)).toEqual([next.id, bold.id]);
  const removed = await member(`/api/projects/${projectId}/fonts/${bold.id}`, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  expect(await fontsIn(projectId)).toEqual([next]);
});

test('a file that is not a font and a file that is too large are rejected without being stored', async () => {
  const projectId = await makeProject(member);
  expectProblem(await sendFont(member, projectId, Buffer.from('not a font')), 'invalid_font');
  expectProblem(await sendFont(member, projectId, Buffer.alloc(2 * 1024 * 1024 + 1)), 'too_large');
  expect(await fontsIn(projectId)).toEqual([]);
});

test.each(Object.entries(damagedFonts))(
  'a font with %s is refused with the reason, without being stored',
  async (_, { font, reason }) => {
    const projectId = await makeProject(member);
    const { detail } = expectProblem(await sendFont(member, projectId, await font()), 'invalid_font');
    expect(detail).toMatch(/^The font cannot be used: /);
    expect(detail).toMatch(reason);
    expect(await fontsIn(projectId)).toEqual([]);
  },
);

test('fonts of signs, of other scripts, of capitals and without names of glyphs are accepted', async () => {
  const projectId = await makeProject(member);
  const small = 'abcdefghijklmnopqrstuvwxyz';
  const fonts = [
    await studioFont('Signs', {
      change: (tables) => {
        const cmap = restrictCmap(tables.get('cmap') ?? Buffer.alloc(4), [[0x41, 0x41]]);
        for (const offset of [28, 32]) cmap.writeUInt32BE(0xe000, offset);
        tables.set('cmap', cmap);
      },
    }),
    await packedFont('noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff2'),
    await withMap(Object.fromEntries([...small].map((letter) => [letter, letter.toUpperCase()]))),
    await withMap(Object.fromEntries([...small].map((letter) => [letter, ' ']))),
    await studioFont('Nameless', {
      change: (tables) => {
        const post = Buffer.from(tables.get('post')?.subarray(0, 32) ?? []);
        post.writeUInt32BE(0x30000);
        tables.set('post', post);
      },
    }),
  ];
  for (const font of fonts) await addFont(member, projectId, font);
});

test('an export and the preview embed a font of the studio; without it, the text is printed with a warning', {
  tags: ['extended'],
}, async () => {
  const projectId = await makeProject(member);
  const font = await addFont(member, projectId, await studioFont('Studio Serif'));
  const elements = [textElement('text', 'Limewashed walls', { font: 'Studio Serif' })];
  const pages = [onePage('', { elements, footer: false })];
  const saved = await member(`/api/projects/${projectId}/pages`, {
    method: 'PUT',
    json: { version: 0, pages },
  });
  expect(saved.status).toBe(200);

  const preview = await fetch(`${url}/api/export/render/${projectId}`, { headers });
  expect(await preview.text()).toMatch(/@font-face \{ font-family: own-[\da-f-]+;/);
  const withFont = await exported(member, { projectId, pages });
  expect(withFont.job.warnings).toEqual([]);
  expect(await fontsOf(withFont.pdf)).toContain('StudioSerif-Regular');

  await member(`/api/projects/${projectId}/fonts/${font.id}`, { method: 'DELETE' });
  const without = await exported(member, { projectId, pages });
  expect(without.job.warnings).toMatchObject([{ code: 'missing_font', elementId: 'text' }]);
  expect(await fontsOf(without.pdf)).toEqual(['NotoSans-Regular']);
});

test('an export has a warning that names a stored font that the browser refuses', async () => {
  const projectId = await makeProject(member);
  const font = await addFont(member, projectId, await studioFont('Studio “Å” 2'));
  const broken = await damagedFonts['an invalid glyph']?.font();
  const sql = openDatabase();
  await sql`update private.project_fonts set bytes = ${broken ?? null} where id = ${font.id}`;
  await sql.end();
  const elements = [textElement('text', 'Limewashed walls', { font: font.name })];
  const { job, pdf } = await exported(member, {
    projectId,
    pages: [onePage('', { elements, footer: false })],
  });
  expect(job.warnings).toEqual([
    {
      code: 'missing_font',
      pageId: null,
      elementId: null,
      message: expect.stringContaining(`“${font.name}” is damaged`),
    },
  ]);
  expect(await fontsOf(pdf)).toEqual(['NotoSans-Regular']);
});
