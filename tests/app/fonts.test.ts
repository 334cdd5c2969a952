import { beforeAll, expect, inject, test } from 'vitest';
import { fontsResponse } from '@/lib/fonts/schema';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { exported, onePage, textElement } from '@/tests/app/support/exports';
import { addFont, sendFont, studioFont } from '@/tests/app/support/fonts';
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
