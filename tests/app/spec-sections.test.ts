import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type SectionsResponse, sectionsResponse } from '@/lib/specs/sections/schema';
import { standardSectionsResponse, standardsResponse } from '@/lib/specs/standards/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin, newUser } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { makePdf } from '@/tests/pdf/support/make-pdf';

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

/**
 * Uploads a spec, waits until its PDF has been read, and returns the spec's id. The run stays open until a test sends a
 * report.
 */
async function silentSpec(): Promise<string> {
  const id = await upload(admin, { propertyName: '[silent]' });
  await poll('the PDF was read', async () => (await readSpec(admin, id)).textState !== 'pending');
  return id;
}

const reportSections = (id: string, sections: unknown) =>
  report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'completed', sections });

describe('sections that a workflow service reports', () => {
  test('reported sections keep their order, repetitions are dropped, and long texts are cut', async () => {
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
      notes: [
        'Section 1: level was changed from 99 to 20.',
        'Section 1: text was cut to 20,000 characters.',
        'Section 4: title was cut to 300 characters.',
        'Sections that repeat another section were left out: 1.',
      ],
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

  // `tests/lib/read-callback.test.ts` has the other reasons.
  test('a section on page 0 is stored without its page, and the response says why', async () => {
    const id = await silentSpec();
    const response = await reportSections(id, [{ title: 'A', page: 0 }]);
    const notes = ['Section 1: page must be a whole number from 1 to 100,000 and was left out.'];
    expect(response.body).toMatchObject({ applied: true, notes });
    const sections = [{ title: 'A', page: null, level: 1, text: null }];
    expect(await readSections(id)).toMatchObject({ source: 'workflow', sections });
  });

  test('100,000 sections exceed the maximum size of a report', async () => {
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

describe('brand standards', () => {
  test('an editor of a project finds brand standards page by page, and reads their sections page by page, with the text of an outline', async () => {
    const word = unique('handbook').replaceAll(' ', '');
    const ids = [
      await upload(admin, { fileName: `${word} a.pdf`, propertyName: '[silent]' }),
      await upload(admin, { fileName: `${word} b.pdf`, propertyName: '[silent]' }),
    ];
    for (const id of ids) {
      await reportSections(id, [{ title: 'Doors', page: 4, text: '100 cm wide' }, { title: 'Floors' }]);
    }
    const texts = ['Doors are of oak.', 'Floors are of stone.'];
    const { headers } = await newUser(env, 'editor');
    const editor = apiAt(url, headers);
    const path = `/api/projects/${await makeProject(editor)}/standards`;

    const list = async (cursor: string | null) => {
      const params = new URLSearchParams({ q: word, limit: '1', ...(cursor && { cursor }) });
      return standardsResponse.parse((await editor(`${path}?${params}`)).body);
    };
    const first = await list(null);
    const second = await list(first.nextCursor);
    expect([...first.standards, ...second.standards].map(({ specUploadId }) => specUploadId)).toEqual(
      ids.toReversed(),
    );
    expect(second.nextCursor).toBeNull();
    expect(first.standards[0]).toMatchObject({ fileName: `${word} b.pdf`, version: 1, sectionsCount: 2 });

    const read = async (cursor: string) => {
      const response = await editor(`${path}/${ids[0]}/sections?limit=1${cursor}`);
      return standardSectionsResponse.parse(response.body);
    };
    expect(await read('')).toMatchObject({
      fileName: `${word} a.pdf`,
      sections: [{ number: 1, title: 'Doors', page: 4, text: '100 cm wide' }],
      nextCursor: '1',
    });
    expect(await read('&cursor=1')).toMatchObject({ sections: [{ title: 'Floors' }], nextCursor: null });

    const outlined = await upload(admin, {
      file: await makePdf({ sections: 2, texts }),
      propertyName: '[silent]',
    });
    await poll('the PDF was read', async () => (await readSpec(admin, outlined)).textState !== 'pending');
    await reportSections(outlined, undefined);
    const fromOutline = standardSectionsResponse.parse((await editor(`${path}/${outlined}/sections`)).body);
    expect(fromOutline.sections.map(({ title, text }) => [title, text])).toEqual([
      ['Section 1', null],
      // This nested section begins on the same page as `Section 1`, but its title is not on that page. Its text
      // therefore begins directly after the title of `Section 1`.
      ['A part of the first', texts[0]],
      ['Section 2', texts[1]],
    ]);

    expectProblem(await editor(`${path}?cursor=x`), 'invalid_request');
    expectProblem(await editor(`${path}/${ids[0]}/sections?cursor=x`), 'invalid_request');
    const known = await fetch(`${url}${path}?q=${word}`, { headers });
    const again = { ...headers, 'if-none-match': known.headers.get('etag') ?? '' };
    expect((await fetch(`${url}${path}?q=${word}`, { headers: again })).status).toBe(304);
  });
});
