import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type SectionsResponse, sectionsResponse } from '@/lib/specs/sections/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, upload } from '@/tests/app/support/specs';

const { url, env } = inject('atelier');
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

const pathOf = (id: string) => `/api/admin/specs/${id}/sections`;

async function readSections(id: string): Promise<SectionsResponse> {
  const response = await admin(pathOf(id));
  expect(response.status, excerpt(response)).toBe(200);
  return sectionsResponse.parse(response.body);
}

/** Uploads a spec whose run waits for a report, and waits until its PDF has been read. */
async function silentSpec(): Promise<string> {
  const id = await upload(admin, { propertyName: '[silent]' });
  await poll('the PDF was read', async () => (await readSpec(admin, id)).textState !== 'pending');
  return id;
}

const reportSections = (id: string, sections: unknown) =>
  report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'completed', sections });

describe('sections that a workflow service reports', () => {
  test('reported sections keep their order, without repetitions, and long texts are cut', async () => {
    const id = await silentSpec();
    expect(await readSections(id)).toMatchObject({ source: 'outline', version: 1 });
    const response = await reportSections(id, [
      { title: 'Floors', page: 9, level: 99, text: 'x'.repeat(30_000) },
      { title: ' Doors\u0007\n', page: 2, level: null, text: '' },
      { title: 'Doors', page: 2 },
      { title: 'y'.repeat(5_000) },
    ]);
    expect(response.status, excerpt(response)).toBe(200);
    expect(response.body).toMatchObject({
      applied: true,
      notes: ['Sections that repeat another section were left out: 1.'],
    });
    expect((await readSpec(admin, id)).sectionsCount).toBe(3);
    expect(await readSections(id)).toMatchObject({
      source: 'workflow',
      sections: [
        { title: 'Floors', page: 9, level: 20, text: 'x'.repeat(20_000) },
        { title: 'Doors', page: 2, level: 1, text: null },
        { title: 'y'.repeat(300), page: null, level: 1, text: null },
      ],
    });
  });

  test.each<[string, unknown, RegExp]>([
    ['2,001 sections', Array(2_001).fill({ title: 'A' }), /at most 2,000 sections/],
    ['a section without a title', [{ title: ' \n' }], /must not be empty/],
    ['a page 0', [{ title: 'A', page: 0 }], /page/],
    ['a level 0', [{ title: 'A', level: 0 }], /level/],
    ['a value that is not a list', { title: 'A' }, /sections/],
  ])('a report with %s gets a 400 that says why, and changes nothing', async (_name, sections, why) => {
    const id = await silentSpec();
    const response = await reportSections(id, sections);
    expectProblem(response, 'invalid_request');
    expect(JSON.stringify(response.body)).toMatch(why);
    expect(await readSections(id)).toMatchObject({ source: 'outline' });
  });

  test('100,000 sections exceed the size of a report', async () => {
    const id = await silentSpec();
    expectProblem(await reportSections(id, Array(100_000).fill({ title: 'A' })), 'too_large');
  });
});

describe('corrected sections', () => {
  test('sections can be corrected, exported and restored, and an outdated correction gets a 409', async () => {
    const id = await silentSpec();
    const original = await readSections(id);
    const correct = (version: number, title: string) =>
      admin(pathOf(id), { method: 'PUT', json: { version, sections: [{ title, page: 2, text: 'a "b"' }] } });
    expect((await correct(original.version, '=SUM(A1)')).body).toEqual({ version: 2 });
    const refused = await correct(original.version, 'outdated');
    expectProblem(refused, 'state_conflict');
    expect(refused.body).toMatchObject({ currentVersion: 2 });

    const csv = await fetch(`${url}${pathOf(id)}/csv`, { headers: (await newAdmin(env)).headers });
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="sections.csv"');
    expect(await csv.text()).toBe(
      '"section","level","title","page","text"\r\n1,1,"\'=SUM(A1)",2,"a ""b"""\r\n',
    );

    const restored = await admin(`${pathOf(id)}/restore`, { json: { version: 2 } });
    expect(restored.body).toEqual({ version: 3 });
    expect(await readSections(id)).toEqual({ ...original, version: 3 });
  });
});
