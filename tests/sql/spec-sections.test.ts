import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { makeSpec } from './support/make-spec';
import { signedIn } from './support/sessions';

let db: TestDatabase;
const admin = randomUUID();
beforeAll(async () => {
  db = await createTestDatabase();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${admin}, 'admin@sections.test', '{"role":"admin"}')`;
});
afterAll(() => db?.drop());

type Section = { title: string; page?: number | null; level?: number; text?: string | null };

/** Reads the sections as the API does for a signed-in user. */
function read(id: string, role = 'admin') {
  const found = async (sql: TestDatabase['sql']) => {
    const [row] = await sql`select public.read_spec_sections(${id}) as found`;
    return row?.found;
  };
  return signedIn(db.sql, admin, found, role);
}

/** Marks the PDF of a spec as read. Also stores its outline if the spec has no sections from another source. */
async function finishText(id: string, outline: Section[] = []) {
  const [item] = await db.sql`
    update private.work_items set lease_token = gen_random_uuid()
     where kind = 'spec_text' and subject_id = (select document_id from public.spec_uploads where id = ${id})
    returning id, lease_token`;
  await db.sql`select public.finish_spec_text(${item?.id}, ${item?.lease_token}, 'done', 1,
    ${db.sql.json(outline.map((each) => ({ page: null, level: 1, ...each })))})`;
}

async function report(
  id: string,
  sections: Section[] | null,
  { status = 'completed', count = null as number | null } = {},
) {
  const [row] = await db.sql`
    select public.apply_spec_callback(${id}, ${status}, null, ${count}, null,
      ${sections === null ? null : db.sql.json(sections)}) as result`;
  return row?.result.outcome;
}

async function save(id: string, version: number, sections: Section[]) {
  const [row] =
    await db.sql`select public.save_spec_sections(${id}, ${version}, ${db.sql.json(sections)}) as result`;
  return row?.result;
}

async function restore(id: string, version: number) {
  const [row] = await db.sql`select public.restore_spec_sections(${id}, ${version}) as result`;
  return row?.result;
}

const titles = ({ sections }: { sections: Section[] }) => sections.map(({ title }) => title);

describe('the sections that a workflow service reports', () => {
  test('reported sections are stored in their order, whether they come before the outline or after it', async () => {
    const sections = [
      { title: 'Curtains', page: 9, level: 2, text: '2 cm above the floor' },
      { title: 'Carpets', page: 2 },
      { title: 'Curtains', page: 9 },
    ];
    const before = await makeSpec(db.sql);
    expect(await report(before, sections)).toBe('applied');
    await finishText(before, [{ title: 'Outline' }]);
    const after = await makeSpec(db.sql);
    await finishText(after, [{ title: 'Outline' }]);
    expect(await report(after, sections)).toBe('applied');
    for (const id of [before, after]) {
      expect(await read(id)).toMatchObject({
        version: 2,
        source: 'workflow',
        isCorrected: false,
        sections: [
          { title: 'Curtains', page: 9, level: 2, text: '2 cm above the floor' },
          { title: 'Carpets', page: 2, level: 1, text: null },
          { title: 'Curtains', page: 9, level: 1, text: null },
        ],
      });
    }
    const [row] = await db.sql`select sections_count from public.spec_uploads where id = ${after}`;
    expect(row?.sections_count).toBe(3);
  });

  test('a reported count takes precedence over the number of sections', async () => {
    const id = await makeSpec(db.sql);
    await report(id, [{ title: 'A' }], { count: 12 });
    const [row] = await db.sql`select sections_count from public.spec_uploads where id = ${id}`;
    expect(row?.sections_count).toBe(12);
  });

  test('a report that is not applied, reports a failure or has no sections changes no sections', async () => {
    const id = await makeSpec(db.sql);
    await report(id, [{ title: 'A' }]);
    expect(await report(id, [{ title: 'B' }])).toBe('duplicate');
    expect(titles(await read(id))).toEqual(['A']);
    const failed = await makeSpec(db.sql);
    await report(failed, [{ title: 'B' }], { status: 'failed' });
    expect(titles(await read(failed))).toEqual([]);
    const outlined = await makeSpec(db.sql);
    await finishText(outlined, [{ title: 'Outline' }]);
    await report(outlined, null);
    expect(await read(outlined)).toMatchObject({ source: 'outline', sections: [{ title: 'Outline' }] });
  });

  test('2,000 sections with 500 characters each are stored, and one more is rejected', async () => {
    const id = await makeSpec(db.sql);
    const many = Array.from({ length: 2000 }, (_, n) => ({ title: `Section ${n}`, text: 'x'.repeat(500) }));
    expect(await report(id, many)).toBe('applied');
    expect(await read(id)).toMatchObject({ sections: { length: 2000 } });
    const other = await makeSpec(db.sql);
    await expect(report(other, [...many, { title: 'one more' }])).rejects.toThrow(
      /spec_sections_ordinal_check/,
    );
  });
});

describe('corrected sections', () => {
  test('a correction is saved only if it corrects the current version', async () => {
    const id = await makeSpec(db.sql);
    await finishText(id, [{ title: 'A', page: 1 }, { title: 'B' }]);
    const { version } = await read(id);
    expect(await save(id, version, [{ title: 'A!', page: 2, level: 3 }])).toEqual({
      outcome: 'saved',
      version: version + 1,
    });
    expect(await save(id, version, [{ title: 'outdated' }])).toEqual({
      outcome: 'conflict',
      version: version + 1,
    });
    expect(await restore(id, version)).toEqual({ outcome: 'conflict', version: version + 1 });
    expect(await read(id)).toMatchObject({
      version: version + 1,
      source: 'manual',
      isCorrected: true,
      sections: [{ title: 'A!', page: 2, level: 3, text: null }],
    });
  });

  test('the original sections can be restored after several corrections, even after one that removed all', async () => {
    const id = await makeSpec(db.sql);
    await finishText(id, [{ title: 'A', page: 1, level: 2 }]);
    const original = await read(id);
    await save(id, 1, [{ title: 'B' }]);
    await save(id, 2, []);
    expect(await read(id)).toMatchObject({ source: null, isCorrected: true, sections: [] });
    expect(await restore(id, 3)).toEqual({ outcome: 'saved', version: 4 });
    expect(await read(id)).toEqual({ ...original, version: 4 });
    expect(await restore(id, 4)).toEqual({ outcome: 'saved', version: 4 });
  });

  test('a later report does not overwrite a correction: it becomes the original', async () => {
    const id = await makeSpec(db.sql);
    await finishText(id, [{ title: 'Outline' }]);
    await save(id, 1, [{ title: 'Mine' }]);
    expect(await report(id, [{ title: 'Reported' }])).toBe('applied');
    const corrected = await read(id);
    expect(corrected).toMatchObject({ version: 3, source: 'manual', originalChangedAt: expect.any(String) });
    expect(titles(corrected)).toEqual(['Mine']);
    await restore(id, 3);
    expect(await read(id)).toMatchObject({
      source: 'workflow',
      isCorrected: false,
      originalChangedAt: null,
      sections: [{ title: 'Reported' }],
    });
  });

  test('a later report of the same sections is not treated as a change', async () => {
    const id = await makeSpec(db.sql);
    await report(id, [{ title: 'Reported', page: 3 }]);
    await finishText(id);
    await save(id, 2, [{ title: 'Mine' }]);
    await db.sql`select public.retry_spec(${id}, ${admin}, true)`;
    expect(await report(id, [{ title: 'Reported', page: 3 }])).toBe('applied');
    expect(await read(id)).toMatchObject({ source: 'manual', originalChangedAt: null });
    await db.sql`select public.retry_spec(${id}, ${admin}, true)`;
    await report(id, [{ title: 'Reported', page: 4 }]);
    expect(await read(id)).toMatchObject({ originalChangedAt: expect.any(String) });
  });

  test('sections cannot be corrected before the PDF was read, because its outline would be lost', async () => {
    const id = await makeSpec(db.sql);
    expect(await save(id, 0, [{ title: 'A' }])).toEqual({ outcome: 'unread' });
    await finishText(id, [{ title: 'Outline' }]);
    expect(await save(id, 0, [{ title: 'A' }])).toEqual({ outcome: 'conflict', version: 1 });
  });

  test('only administrators read sections, and an unknown spec has none', async () => {
    const id = await makeSpec(db.sql);
    expect(await read(id, 'member')).toBeNull();
    expect(await read(randomUUID())).toBeNull();
    expect(await save(randomUUID(), 0, [])).toEqual({ outcome: 'not_found' });
    expect(await restore(randomUUID(), 0)).toEqual({ outcome: 'not_found' });
  });

  test('only one of two simultaneous corrections of a version is saved', async () => {
    const id = await makeSpec(db.sql);
    await finishText(id, [{ title: 'A' }]);
    const both = await Promise.all([save(id, 1, [{ title: 'B' }]), save(id, 1, [{ title: 'C' }])]);
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'saved']);
  });
});

describe('brand standards', () => {
  async function find(q: string | null, brand: string | null = null) {
    const rows = await db.sql<{ id: string; sections: number }[]>`
      select id, sections from public.find_standards(${q}, ${brand})`;
    return rows.map(({ id, sections }) => ({ id, sections }));
  }
  async function readStandard(id: string, after = 0, limit = 100) {
    const [row] = await db.sql`select public.read_standard(${id}, ${after}, ${limit}) as found`;
    return row?.found;
  }

  test('only specs that are completed and current are brand standards', async () => {
    const fileName = 'Ballroom handbook.pdf';
    const id = await makeSpec(db.sql, { fileName });
    expect([await find('ballroom handbook'), await readStandard(id)]).toEqual([[], null]);
    await report(id, [{ title: 'Doors', page: 4, text: '100 cm wide' }, { title: 'Floors' }]);
    expect(await find('ballroom hand')).toEqual([{ id, sections: 2 }]);
    expect(await find('ballroom', 'Brand')).toEqual([{ id, sections: 2 }]);
    expect(await find('ballroom', 'Unknown')).toEqual([]);
    expect(await find(null, 'Brand')).toContainEqual({ id, sections: 2 });
    expect(await readStandard(id, 0, 1)).toEqual({
      fileName,
      version: 1,
      sections: [{ number: 1, title: 'Doors', page: 4, level: 1, text: '100 cm wide' }],
    });
    expect(titles(await readStandard(id, 1))).toEqual(['Floors']);

    const next = await makeSpec(db.sql, { fileName, replaces: id });
    expect([await find('ballroom'), await readStandard(id), await readStandard(next)]).toEqual([
      [],
      null,
      null,
    ]);
    await report(next, null, { status: 'failed' });
    expect([await find('ballroom'), await readStandard(next)]).toEqual([[], null]);
  });

  test('signed-in users cannot call the functions for brand standards', async () => {
    for (const call of ['public.find_standards()', `public.read_standard('${randomUUID()}', 0, 1)`]) {
      const asUser = db.sql.begin(async (tx) => {
        await tx`set local role authenticated`;
        await tx.unsafe(`select ${call}`);
      });
      await expect(asUser).rejects.toThrow(/permission denied/);
    }
  });
});
