import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.sql`insert into public.area_types (name) values ('Lounge')`;
});
afterAll(() => db?.drop());

async function addBrand(name = `Brand ${randomUUID().slice(0, 8)}`): Promise<{ id: string; name: string }> {
  const [row] = await db.sql`insert into public.brands (name) values (${name}) returning id`;
  return { id: row?.id, name };
}
async function upload(brand: string): Promise<{ id: string; outcome: string }> {
  const id = randomUUID();
  const [row] = await db.sql`
    select public.create_spec_upload(null, ${id}, ${brand}, 'Lounge', ${`specs/brand/${id}/a.pdf`}, 'a.pdf', 10,
      ${randomBytes(32).toString('hex')}) as answer`;
  return { id, outcome: row?.answer.outcome };
}
const rename = async (name: string, to: string, list = 'brands') =>
  (await db.sql`select public.rename_in_list(${list}, ${name}, ${to}) as answer`)[0]?.answer;
const merge = async (name: string, into: string, list = 'brands') =>
  (await db.sql`select public.merge_in_list(${list}, ${name}, ${into}) as answer`)[0]?.answer;
const remove = async (name: string, list = 'brands') =>
  (await db.sql`select public.delete_in_list(${list}, ${name}) as answer`)[0]?.answer;
const brandOf = async (id: string) =>
  (await db.sql`select brand_name from public.specs where id = ${id}`)[0]?.brand_name;

describe('rename_in_list', () => {
  test('a brand keeps its specs when it is renamed, even to another spelling of its name', async () => {
    const { name } = await addBrand();
    const spec = await upload(name);
    const other = `Renamed ${randomUUID()}`;
    expect(await rename(name.toUpperCase(), other)).toEqual({ outcome: 'renamed', name: other });
    expect(await brandOf(spec.id)).toBe(other);
    expect(await rename(other, other.toUpperCase())).toMatchObject({ outcome: 'renamed' });
    expect(await rename(name, other)).toMatchObject({ outcome: 'not_found' });
  });

  test('a name that exists in any spelling is refused with the existing spelling', async () => {
    const [one, two] = [await addBrand(), await addBrand()];
    expect(await rename(one.name, ` ${two.name.toUpperCase()}`)).toEqual({
      outcome: 'exists',
      name: two.name,
    });
  });
});

describe('merge_in_list', () => {
  test('all specs of a brand, also replaced ones, move to another one, their runs keep the name, and the brand is gone', async () => {
    const [one, two] = [await addBrand(), await addBrand()];
    const specs = [await upload(one.name), await upload(one.name)];
    await db.sql`update public.spec_uploads set series_id = (select series_id from public.spec_uploads
      where id = ${specs[0]?.id ?? null}), version = 2, is_current = false where id = ${specs[1]?.id ?? null}`;
    expect(await merge(one.name, two.name.toLowerCase())).toEqual({
      outcome: 'merged',
      name: two.name,
      specs: 2,
    });
    for (const { id } of specs) {
      expect(await brandOf(id)).toBe(two.name);
      const jobs = await db.sql`select brand_name from public.upload_jobs where spec_upload_id = ${id}`;
      expect(jobs.map((job) => job.brand_name)).toEqual([one.name]);
    }
    expect(await merge(one.name, two.name)).toEqual({ outcome: 'not_found' });
    expect(await merge(two.name, one.name)).toEqual({ outcome: 'unknown_target' });
    expect(await merge(two.name, two.name.toUpperCase())).toEqual({ outcome: 'same' });
    expect((await upload(one.name)).outcome).toBe('unknown_brand');
  });

  test('areas are merged like brands', async () => {
    const name = `Area ${randomUUID()}`;
    await db.sql`insert into public.area_types (name) values (${name})`;
    const { id } = await upload((await addBrand()).name);
    await db.sql`update public.spec_uploads
      set area_type_id = (select id from public.area_types where name = ${name}) where id = ${id}`;
    expect(await merge(name, 'Lounge', 'areas')).toMatchObject({
      outcome: 'merged',
      name: 'Lounge',
      specs: 1,
    });
    const [row] = await db.sql`select area from public.specs where id = ${id}`;
    expect(row?.area).toBe('Lounge');
  });

  test('a merge concurrent with uploads, edits, retries and the reverse merge leaves no spec without its brand', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [one, two] = [await addBrand(), await addBrand()];
      const first = await upload(one.name);
      const all = await Promise.all([
        upload(one.name),
        merge(one.name, two.name),
        upload(one.name),
        db.sql`select public.edit_specs(${[first.id]}, ${one.name}) as answer`,
        merge(two.name, one.name),
        db.sql`select public.apply_spec_callback(${first.id}, 'failed', 1)`,
        db.sql`select public.retry_specs(null, ${[first.id]})`,
        upload(two.name),
        remove(one.name),
      ]);
      expect(JSON.stringify(all).match(/"merged"/g)).toHaveLength(1);
      const kept = await db.sql`select name from public.brands where name in (${one.name}, ${two.name})`;
      expect(kept).toHaveLength(1);
      const uploads = [first, all[0], all[2], all[7]];
      for (const { id, outcome } of uploads) {
        if (outcome === 'created') expect(await brandOf(id)).toBe(kept[0]?.name);
        else expect(outcome).toBe('unknown_brand');
      }
    }
  });
});

describe('delete_in_list', () => {
  test('only a name without specs is deleted', async () => {
    const { name } = await addBrand();
    const spec = await upload(name);
    expect(await remove(name)).toBe('in_use');
    await db.sql`select public.delete_specs(${[spec.id]})`;
    expect(await remove(name.toUpperCase())).toBe('deleted');
    expect(await remove(name)).toBe('not_found');
  });
});

test('the catalog counts the specs of each name', async () => {
  const used = await addBrand();
  const unused = await addBrand();
  await upload(used.name);
  await upload(used.name);
  const [row] = await db.sql`select public.catalogue() as catalogue`;
  expect(row?.catalogue.brands).toContainEqual({ name: used.name, specs: 2 });
  expect(row?.catalogue.brands).toContainEqual({ name: unused.name, specs: 0 });
  expect(row?.catalogue.areas.map((area: { name: string }) => area.name)).toContain('Lounge');
});

describe('import_names', () => {
  const importNames = async (names: string[], list = 'brands') =>
    (await db.sql`select public.import_names(${list}, null, ${names}) as answer`)[0]?.answer;

  test.each(['brands', 'areas'])(
    '%s that do not exist in any spelling are added once, others are kept',
    async (list) => {
      const [first, second] = [`Ähre ${randomUUID()}`, `Zeder ${randomUUID()}`];
      expect(await importNames([first], list)).toEqual({ added: 1, existing: 0 });
      expect(await importNames([second, first.toUpperCase(), second.toLowerCase()], list)).toEqual({
        added: 1,
        existing: 1,
      });
      expect(await rename(second.toUpperCase(), second, list)).toMatchObject({ outcome: 'renamed' });
    },
  );

  test('simultaneous imports of the same names add each name once', async () => {
    const names = Array.from({ length: 50 }, () => `Brand ${randomUUID()}`);
    const orders = [names, names.toReversed(), names, names.toReversed()];
    const results = await Promise.all(orders.map((each) => importNames(each)));
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(50);
  });
});
