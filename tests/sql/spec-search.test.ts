import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { findSpecs } from './support/find-specs';
import { signedIn } from './support/sessions';

let db: TestDatabase;
let admin: string;
let member: string;
beforeAll(async () => {
  db = await createTestDatabase();
  [admin, member] = [randomUUID(), randomUUID()];
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${admin}, 'admin@search.test', '{"role":"admin"}'), (${member}, 'member@search.test', '{}')`;
});
afterAll(() => db?.drop());

/** Runs `work` as the API does for a signed-in user. */
const as = <T>(user: string, role: string, work: (sql: Sql) => Promise<T>) =>
  signedIn(db.sql, user, work, role);

type Names = { file: string; brand?: string; area?: string; property?: string | null };

async function makeSpec(sql: Sql, { file, brand = 'Nordlys', area = 'Lobby', property = null }: Names) {
  const id = randomUUID();
  await sql`insert into public.brands (name) values (${brand}) on conflict do nothing`;
  await sql`insert into public.area_types (name) values (${area}) on conflict do nothing`;
  await sql`
    select public.create_spec_upload(null, ${id}, ${brand}, ${area}, ${`specs/brand/${id}/a.pdf`}, ${file}, 10,
      ${randomBytes(32).toString('hex')}, ${property})`;
  return id;
}

/**
 * Stores the text of a spec's pages and then marks the PDF as read, as a worker does. Returns whether each of the two
 * steps succeeded.
 */
async function storeText(id: string, pages: string[], state = 'done', sections: object[] = []) {
  const [item] = await db.sql`
    update private.work_items set lease_token = gen_random_uuid()
     where kind = 'spec_text' and subject_id = (select document_id from public.spec_uploads where id = ${id})
    returning id, lease_token`;
  const rows = pages.map((text, n) => ({ page: n + 1, text })).filter(({ text }) => text);
  const lease = [item?.id, item?.lease_token] as const;
  const [stored] =
    await db.sql`select public.store_spec_pages(${lease[0]}, ${lease[1]}, ${db.sql.json(rows)}) as ok`;
  const [done] = await db.sql`
    select public.finish_spec_text(${lease[0]}, ${lease[1]}, ${state}, ${pages.length}, ${db.sql.json(sections as never)}) as ok`;
  return [stored?.ok, done?.ok];
}

type Filters = {
  status?: string;
  brand?: string;
  area?: string;
  sort?: string;
  user?: string;
  role?: string;
};

async function find(
  q: string | null,
  { status, brand, area, sort = 'match', user = admin, role = 'admin' }: Filters = {},
) {
  const { specs } = await as(user, role, (tx) =>
    findSpecs(tx, { q, status, brand, area, sort, limit: 1000 }),
  );
  return specs.map(({ id, sort_key: key }) => ({ id, key }));
}
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

async function counts(
  q: string | null,
  { brand = null, area = null }: { brand?: string | null; area?: string | null } = {},
) {
  const found = await as(admin, 'admin', (tx) => findSpecs(tx, { q, brand, area }));
  return Object.fromEntries(Object.entries(found.counts).filter(([, n]) => n !== 0));
}

describe('a search for specs', () => {
  let lobby: string;
  let hotel: string;
  let sheet: string;
  let revision: string;
  beforeAll(async () => {
    await db.sql`delete from public.documents`;
    lobby = await makeSpec(db.sql, { file: 'curtains-00.pdf', property: 'Fjord_House ΟΔΟΣ İstanbul' });
    hotel = await makeSpec(db.sql, {
      file: 'spec-sheet-12.pdf',
      brand: 'Grand Hôtel',
      area: 'Spa & Wellness',
    });
    sheet = await makeSpec(db.sql, { file: 'carpet.pdf', brand: 'Grand Hôtel', area: 'Corridor' });
    revision = await makeSpec(db.sql, {
      file: 'Überarbeitung.v2.pdf',
      brand: 'Søndergaard',
      area: 'Corridor',
    });
    await db.sql`select public.apply_spec_callback(${sheet}, 'failed', 1, null, 'The workflow was told to fail.')`;
    await storeText(revision, [
      'Contents',
      'Fire doors close by themselves.\nCurtains hang 2 cm above the floor.',
    ]);
  });

  test.each<[string, () => string[]]>([
    ['lobby nordlys', () => [lobby]],
    ['nordlys lobby', () => [lobby]],
    ['hotel grand', () => [sheet, hotel]],
    ['GRAND HOTEL', () => [sheet, hotel]],
    ['curtains 00', () => [lobby]],
    ['Nordlys curtains', () => [lobby]],
    ['curtains-00.pdf', () => [lobby]],
    ['ｃｕｒｔａｉｎｓ ００', () => [lobby]],
    ['fjord house', () => [lobby]],
    ['ΟΔΟΣ', () => [lobby]],
    ['οδος', () => [lobby]],
    ['οδοσ istanbul', () => [lobby]],
    ['İSTANBUL', () => [lobby]],
    ['spec sheet', () => [hotel]],
    ['wellness/spa', () => [hotel]],
    ['uberarbeitung', () => [revision]],
    ['U\u0308BERARBEITUNG', () => [revision]],
    ['sondergaard', () => [revision]],
    ['überarb', () => [revision]],
    ['told to fail', () => [sheet]],
    ['hotel told fail', () => [sheet]],
    ['doors fire', () => [revision]],
    ['sondergaard fire door', () => [revision]],
    ['curt', () => [lobby, revision]],
    ['curt 00', () => []],
    ['2 curtains', () => [revision]],
    ['curtains 2', () => [revision]],
    ['spa w', () => [hotel]],
    ['v', () => [revision]],
    ['nordlys hotel', () => []],
    ['%', () => [revision, sheet, hotel, lobby]],
    ['', () => [revision, sheet, hotel, lobby]],
    ["'; drop table x; --", () => []],
    ["a' | b:* & !c <-> (", () => []],
    ['p00000000000000000000000000000000', () => []],
  ])(
    'a search for %j finds the specs that have all of its words, and the counts agree',
    async (q, expected) => {
      expect(idsOf(await find(q))).toEqual(expected());
      const found = Object.values(await counts(q)).reduce((sum, n) => sum + n, 0);
      expect(found).toBe(expected().length);
    },
  );

  test('a search can be limited to a brand, an area and a status, and sorted', async () => {
    expect(idsOf(await find('grand', { area: 'Corridor' }))).toEqual([sheet]);
    expect(idsOf(await find('corridor', { brand: 'Søndergaard' }))).toEqual([revision]);
    expect(idsOf(await find('hotel', { status: 'failed' }))).toEqual([sheet]);
    expect(idsOf(await find('hotel', { status: 'pending' }))).toEqual([hotel]);
    expect(idsOf(await find('hotel', { brand: 'grand hôtel' }))).toEqual([]);
    expect(idsOf(await find('corridor', { sort: 'file' }))).toEqual([sheet, revision]);
    expect(idsOf(await find('corridor', { sort: 'oldest' }))).toEqual([sheet, revision]);
    expect(idsOf(await find('corridor', { sort: 'brand' }))).toEqual([sheet, revision]);
    expect(idsOf(await find('corridor', { sort: 'status' }))).toEqual([sheet, revision]);
    expect(await counts('hotel', { area: 'Corridor' })).toEqual({ failed: 1 });
  });

  test('names come before errors and errors before the text, and whole words before prefixes', async () => {
    const inText = await makeSpec(db.sql, { file: 'a.pdf' });
    await storeText(inText, ['marble']);
    const inError = await makeSpec(db.sql, { file: 'b.pdf' });
    await db.sql`select public.apply_spec_callback(${inError}, 'failed', 1, null, 'No marble on page 3')`;
    const inPrefix = await makeSpec(db.sql, { file: 'Marbles.pdf' });
    const inName = await makeSpec(db.sql, { file: 'Marble.pdf' });
    const newer = await makeSpec(db.sql, { file: 'Marbles 2.pdf' });
    const expected = [inName, newer, inPrefix, inError, inText];
    expect(await find('marble')).toEqual(
      expected.map((id, n) => ({ id, key: ['1', '2', '2', '3', '4'][n] })),
    );
    const paged: string[] = [];
    for (let after = {}; ; ) {
      const { specs } = await as(admin, 'admin', (tx) =>
        findSpecs(tx, { q: 'marble', sort: 'match', limit: 1, ...after }),
      );
      const [spec] = specs;
      if (!spec) break;
      after = { after_id: spec.id, after_at: spec.created_at, after_key: spec.sort_key };
      paged.push(spec.id);
    }
    expect(paged).toEqual(expected);
    await db.sql`select public.delete_specs(${expected})`;
    expect(await find('marble')).toEqual([]);
  });

  test('after a rename, merge or edit, a spec is found only by its new names, and not by an error that is gone', async () => {
    const id = await makeSpec(db.sql, { file: 'x.pdf', brand: 'Oldname', area: 'Terrace' });
    const written = () => db.sql`select xmin::text from private.spec_words where spec_id = ${id}`;
    const before = await written();
    await db.sql`select public.rename_in_list('brands', 'Oldname', 'Newname')`;
    expect([idsOf(await find('oldname')), idsOf(await find('newname terrace'))]).toEqual([[], [id]]);
    await db.sql`insert into public.brands (name) values ('Between')`;
    await db.sql`select public.merge_in_list('brands', 'Newname', 'Between')`;
    await db.sql`select public.merge_in_list('brands', 'Between', 'Nordlys')`;
    expect([idsOf(await find('newname')), idsOf(await find('nordlys terrace'))]).toEqual([[], [id]]);
    expect(await written()).toEqual(before);
    await db.sql`select public.edit_specs(${[id]}, null, 'Corridor', 'Annex')`;
    expect([idsOf(await find('terrace x')), idsOf(await find('annex corridor'))]).toEqual([[], [id]]);
    await db.sql`select public.apply_spec_callback(${id}, 'failed', 1, null, 'Oops')`;
    expect(idsOf(await find('oops'))).toEqual([id]);
    await db.sql`select public.retry_spec(${id})`;
    expect(idsOf(await find('oops'))).toEqual([]);
    await db.sql`select public.delete_specs(${[id]})`;
  });

  test('the matching page is the first that has the most words, unless the names have all of them', async () => {
    const pages = async (q: string) => {
      const { specs } = await as(admin, 'admin', (tx) => findSpecs(tx, { q }));
      return specs.filter(({ id }) => id === revision).map(({ page }) => page);
    };
    expect(await pages('fire curtains')).toEqual([2]);
    expect(await pages('contents')).toEqual([1]);
    expect(await pages('uberarbeitung')).toEqual([null]);
    const ids = await as(admin, 'admin', (tx) => findSpecs(tx, { q: 'contents', is_only_ids: true }));
    expect(ids).toMatchObject({ specs: [{ id: revision, page: null, text: null }], counts: {} });
  });

  test('a word that the parser splits is found in names and in the text, in every sort order, and is counted', async () => {
    const named = await makeSpec(db.sql, { file: '3e5f0c7a.pdf' });
    const inText = await makeSpec(db.sql, { file: 'codes.pdf' });
    await storeText(inText, ['Tile 3E5F0C7A, matt']);
    for (const q of ['3e5f0c7a', '3E5F0', 'tile 3e5f0c7a', '3e5f0c7a matt']) {
      const expected = q.includes(' ') ? [inText] : [named, inText];
      expect(idsOf(await find(q)), q).toEqual(expected);
      expect(idsOf(await find(q, { sort: 'oldest' })), q).toEqual(expected);
      expect(await counts(q), q).toEqual({ pending: expected.length });
    }
    await db.sql`select public.delete_specs(${[named, inText]})`;
  });

  test('no word matches the key of a brand or an area', async () => {
    const keys = await db.sql<{ key: string }[]>`
      select substr(word, 2) as key from private.spec_words, unnest(tsvector_to_array(words)) word
       where spec_id = ${hotel} and word like 'n\\_%'`;
    expect(keys).toHaveLength(2);
    for (const { key } of keys) {
      expect(await find(key)).toEqual([]);
      expect(await find(key.slice(0, 6).replace('_', 'p'))).toEqual([]);
    }
  });

  test.each([
    ['a word of 2,400 bytes', '\u337f'.repeat(200), () => []],
    ['a vowel sign without its letter', '\u0cf3', () => []],
    ['a word and a vowel sign without its letter', 'lobby \u0cf3', () => [lobby]],
  ])('a search for %s, which the parser ignores, is not an error', async (_, q, expected) => {
    expect(idsOf(await find(q))).toEqual(expected());
    expect(Object.values(await counts(q))).toHaveLength(expected().length);
  });

  test('only administrators find, count and read specs and their text', async () => {
    expect(await find('nordlys', { user: member, role: '' })).toEqual([]);
    const nothing = { specs: [], counts: {}, isExact: true };
    for (const q of [null, 'nordlys', 'fire']) {
      expect(await as(member, 'admin', (tx) => findSpecs(tx, { q }))).toEqual(nothing);
    }
    const rest = await as(member, 'admin', async (tx) => [
      await tx`select * from public.spec_pages`,
      await tx`select * from public.spec_sections`,
    ]);
    expect(rest.flat()).toEqual([]);
    await expect(as(admin, 'admin', (tx) => tx`select * from private.spec_words`)).rejects.toThrow(
      'permission denied',
    );
  });

  test('a search with more than 1,000 matches is complete, has counts up to 1,000, and omits replaced versions', {
    tags: ['extended'],
  }, async () => {
    // Disable triggers, which would take up most of the test's time.
    await db.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`create temporary table many on commit drop as
        select gen_random_uuid() as id, n, (select id from public.brands where name = 'Nordlys') as brand,
               (select id from public.area_types where name = 'Lobby') as area from generate_series(1, 5200) n`;
      await tx`insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256)
        select id, 'spec', id::text, 'Common ' || n || case when n <= 3000 then ' Early' else '' end || '.pdf', 1,
               repeat('a', 64) from many`;
      await tx`insert into public.spec_uploads (id, document_id, brand_id, area_type_id, sha256, created_at)
        select id, id, brand, area, repeat('a', 64), now() + make_interval(secs => n) from many`;
      await tx`insert into private.spec_words (spec_id, words)
        select u.id, private.names_words(u) from public.spec_uploads u join many on many.id = u.id`;
    });
    const newest = idsOf(
      await db.sql<{ id: string }[]>`
        select u.id from public.specs u where u.file_name like 'Common%' order by created_at desc`,
    );
    const early = newest.slice(2200);
    const edited = newest[4500] ?? '';
    await db.sql`select public.edit_specs(${[edited]}, null, null, 'Annex')`;
    expect(idsOf(await find('common annex'))).toEqual([edited]);
    const found = idsOf(
      (await as(admin, 'admin', (tx) => findSpecs(tx, { q: 'common 52', sort: 'match', limit: 6000 }))).specs,
    );
    const [first] = await db.sql`select file_name from public.specs where id = ${found[0] ?? null}`;
    expect(first?.file_name).toBe('Common 52 Early.pdf');
    expect(found).toHaveLength(12);
    for (const [q, expected] of [
      ['common', newest],
      ['early', early],
    ] as const) {
      for (const sort of ['match', 'newest', 'oldest', 'file', 'brand', 'status']) {
        const { specs: sorted } = await as(admin, 'admin', (tx) => findSpecs(tx, { q, sort, limit: 6000 }));
        const ids = sort === 'oldest' ? idsOf(sorted).reverse() : idsOf(sorted);
        if (sort === 'file') expect(new Set(ids)).toEqual(new Set(expected));
        else expect(ids).toEqual(expected);
      }
      expect(idsOf(await find(q))).toEqual(expected.slice(0, 1000));
    }
    const counted = () => as(admin, 'admin', (tx) => findSpecs(tx, { q: 'common' }));
    expect(await counted()).toMatchObject({ counts: { pending: 1000 }, isExact: false });
    const replaced = newest.slice(0, 1100);
    await db.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update public.spec_uploads set is_current = false where id = any (${replaced})`;
    });
    for (const sort of ['match', 'newest']) {
      expect(idsOf(await find('common', { sort }))).toEqual(newest.slice(1100, 2100));
    }
    expect(await counted()).toMatchObject({ counts: { pending: 1000 }, isExact: false });

    const failed = newest.slice(1100).filter((_, n) => n % 5 === 0);
    await db.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update public.spec_uploads set processing_status = 'failed', error_code = 'workflow_failed', finished_at = now() where id = any (${failed})`;
    });
    expect(await counted()).toMatchObject({
      counts: { pending: 1000, failed: failed.length },
      isExact: false,
    });
    for (const sort of ['match', 'newest', 'oldest', 'status']) {
      const search = { q: 'common', status: 'failed', sort, limit: 500 };
      const { specs: first } = await as(admin, 'admin', (tx) => findSpecs(tx, search));
      const last = first.at(-1);
      const after = { after_key: last?.sort_key, after_at: last?.created_at, after_id: last?.id };
      const { specs: rest } = await as(admin, 'admin', (tx) => findSpecs(tx, { ...search, ...after }));
      expect(idsOf([...first, ...rest])).toEqual(sort === 'oldest' ? failed.toReversed() : failed);
    }
    await db.sql`delete from public.documents where file_name like 'Common%'`;
  });

  test('any search finds and ranks the specs that have its words, regardless of earlier changes', {
    tags: ['extended'],
  }, async () => {
    const { sql } = db;
    const folded: Record<string, string[]> = {
      Hôtel: ['hotel'],
      hotelier: ['hotelier'],
      HOT: ['hot'],
      Ærø: ['aero'],
      'aero.dynamic': ['aero', 'dynamic'],
      Straße: ['strasse'],
      strasse_12: ['strasse', '12'],
      1200: ['1200'],
      'Hotel Door': ['hotel', 'door'],
      Nordlys: ['nordlys'],
      Sammen: ['sammen'],
    };
    const fold = (texts: string[]) => texts.flatMap((text) => folded[text] ?? []);
    const texts = fc.array(fc.constantFrom(...Object.keys(folded).slice(0, 8)), {
      minLength: 1,
      maxLength: 3,
    });
    const places = ['Hotel Door', 'Ærø', 'Nordlys'];
    const place = fc.constantFrom(...places);
    const spec = fc.record({
      file: texts,
      property: fc.option(texts),
      brand: place,
      area: place,
      pages: fc.array(texts, { maxLength: 2 }),
      error: fc.option(texts),
      edit: fc.option(fc.record({ brand: place, property: texts })),
    });
    const search = fc.record({
      words: texts,
      cut: fc.nat(3),
      separator: fc.constantFrom(' ', ', ', '/', '-'),
      brand: fc.option(place, { freq: 3 }),
    });
    type Made = { id: string; brand: string; names: string[]; error: string[]; pages: string[] };

    const make = async ({
      file,
      property,
      brand,
      area,
      pages,
      error,
      edit,
    }: typeof spec extends fc.Arbitrary<infer Spec> ? Spec : never) => {
      const id = await makeSpec(sql, { file: file.join(' '), brand, area, property: property?.join(' ') });
      await storeText(
        id,
        pages.map((page) => page.join(' ')),
      );
      if (edit) await sql`select public.edit_specs(${[id]}, ${edit.brand}, null, ${edit.property.join(' ')})`;
      if (error) await sql`select public.apply_spec_callback(${id}, 'failed', 1, null, ${error.join(' ')})`;
      return {
        id,
        brand: edit?.brand ?? brand,
        names: fold([...file, ...(edit?.property ?? property ?? []), area]),
        error: fold(error ?? []),
        pages: fold(pages.flat()),
      };
    };

    /** Returns the key that a match is sorted by, or undefined if the spec does not match. */
    const keyOf = ({ brand, names, error, pages }: Made, terms: string[]) => {
      const have = (words: string[], isPrefix: boolean) =>
        terms.every((term, n) =>
          words.some((word) => (isPrefix && n === terms.length - 1 ? word.startsWith(term) : word === term)),
        );
      const all = [...names, ...fold([brand])];
      if (have(all, false)) return '1';
      if (have(all, true)) return '2';
      if (have([...all, ...error], true)) return '3';
      return have([...all, ...error, ...pages], true) ? '4' : undefined;
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(spec, { minLength: 1, maxLength: 7 }),
        fc.option(place),
        fc.array(search, { minLength: 6, maxLength: 6 }),
        async (specs, merged, searches) => {
          await sql`delete from public.documents`;
          await sql`insert into public.brands (name) select unnest(${places}::text[]) on conflict do nothing`;
          const made: Made[] = [];
          for (const one of specs) made.unshift(await make(one));
          if (merged) {
            await sql`insert into public.brands (name) values ('Sammen') on conflict do nothing`;
            await sql`select public.merge_in_list('brands', ${merged}, 'Sammen')`;
            for (const one of made) if (one.brand === merged) one.brand = 'Sammen';
          }
          for (const { words, cut, separator, brand } of searches) {
            const terms = fold(words);
            const last = terms.pop() ?? '';
            terms.push(last.slice(0, Math.max(1, last.length - cut)));
            const q = terms.join(separator);
            const expected = made
              .filter((one) => !brand || one.brand === brand)
              .map((one) => ({ id: one.id, key: keyOf(one, terms) }))
              .filter(({ key }) => key)
              .toSorted((a, b) => Number(a.key) - Number(b.key));
            expect(await find(q, brand ? { brand } : {}), q).toEqual(expected);
            const found = Object.values(await counts(q, { brand }));
            expect(
              found.reduce((sum, n) => sum + n, 0),
              q,
            ).toBe(expected.length);
          }
        },
      ),
      { numRuns: 15 },
    );
    await sql`delete from public.documents`;
  });
});

describe('the text of a spec', () => {
  test('pages and sections are replaced, kept from other sources, and deleted with the spec', async () => {
    const id = await makeSpec(db.sql, { file: 'text.pdf' });
    const stateOf = async () =>
      (
        await db.sql`select d.text_state as state, s.processing_status as status
      from public.documents d join public.spec_uploads s on s.document_id = d.id where s.id = ${id}`
      )[0];
    expect(await stateOf()).toEqual({ state: 'pending', status: 'pending' });
    const sections = [
      { title: 'Doors', page: 2, level: 1 },
      { title: 'Fire doors', page: null, level: 2 },
    ];
    expect(await storeText(id, ['one', '', 'three'], 'done', sections)).toEqual([true, true]);
    expect(await stateOf()).toEqual({ state: 'done', status: 'pending' });
    await db.sql`update private.work_items set state = 'pending', finished_at = null where kind = 'spec_text'`;
    await storeText(id, ['other'], 'done', sections.slice(0, 1));
    expect(await db.sql`select page, text from public.spec_pages where spec_id = ${id}`).toEqual([
      { page: 1, text: 'other' },
    ]);
    expect(idsOf(await find('three'))).toEqual([]);
    expect(
      await db.sql`select ordinal, title, page, level, source from public.spec_sections where spec_id = ${id}`,
    ).toEqual([{ ordinal: 1, title: 'Doors', page: 2, level: 1, source: 'outline' }]);
    await db.sql`update public.spec_sections set source = 'manual' where spec_id = ${id}`;
    await db.sql`update private.work_items set state = 'pending', finished_at = null where kind = 'spec_text'`;
    await storeText(id, [], 'none', sections);
    expect(await db.sql`select title, source from public.spec_sections where spec_id = ${id}`).toEqual([
      { title: 'Doors', source: 'manual' },
    ]);
    expect(await storeText(id, ['late'])).toEqual([false, false]);
    await db.sql`select public.delete_specs(${[id]})`;
    expect(
      await db.sql`select spec_id from public.spec_pages where spec_id = ${id}
      union all select spec_id from public.spec_sections where spec_id = ${id}
      union all select spec_id from private.spec_words where spec_id = ${id}`,
    ).toEqual([]);
    expect(
      await db.sql`select 1 from private.work_items w where kind = 'spec_text'
      and not exists (select 1 from public.documents d where d.id = w.subject_id)`,
    ).toEqual([]);
  });

  test('work that is given up marks the text as failed and nothing else', async () => {
    const id = await makeSpec(db.sql, { file: 'lost.pdf' });
    const [item] = await db.sql`update private.work_items set lease_token = gen_random_uuid(), attempts = 5
      where subject_id = (select document_id from public.spec_uploads where id = ${id}) returning id, lease_token`;
    await db.sql`select public.work_failed(${item?.id}, ${item?.lease_token}, 'unreachable', 'down', true)`;
    const [row] =
      await db.sql`select d.text_state as text, s.processing_status as status, s.status_seq::int as seq
      from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = ${id}`;
    expect(row).toEqual({ text: 'failed', status: 'pending', seq: 1 });
  });

  test('a spec with too many words for a tsvector is found by its most frequent words', async () => {
    const id = await makeSpec(db.sql, { file: 'dictionary.pdf' });
    const noise = Array.from(
      { length: 60 },
      () =>
        `${Array.from({ length: 800 }, () => randomBytes(12).toString('hex'))
          .join(' ')
          .slice(0, 19_000)} plinth`,
    );
    expect(await storeText(id, noise)).toEqual([true, true]);
    expect(idsOf(await find('plinth'))).toEqual([id]);
  });
});

describe('the counts of specs', () => {
  const brands = ['Aa', 'Bb', 'Cc'];
  const areas = ['X1', 'Y1'];
  beforeEach(async () => {
    await db.sql`delete from public.documents`;
  });

  test('the counts are right after any concurrent uploads, results, edits, merges and deletions', {
    tags: ['extended'],
  }, async () => {
    const step = fc.record({
      what: fc.constantFrom('upload', 'fail', 'complete', 'edit', 'retry', 'delete', 'merge'),
      brand: fc.constantFrom(...brands),
      area: fc.constantFrom(...areas),
      pick: fc.nat(30),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 4, maxLength: 8 }), { minLength: 2, maxLength: 4 }),
        async (rounds) => {
          const ids: string[] = [];
          const { sql } = db;
          for (const round of rounds) {
            const results = await Promise.allSettled(
              round.map(async ({ what, brand, area, pick }) => {
                const id = ids[pick % Math.max(1, ids.length)] ?? randomUUID();
                if (what === 'upload') ids.push(await makeSpec(sql, { file: `${brand}.pdf`, brand, area }));
                else if (what === 'edit')
                  await sql`select public.edit_specs(${ids.slice(0, pick)}, ${brand}, ${area})`;
                else if (what === 'retry') await sql`select public.retry_specs(null, ${ids})`;
                else if (what === 'delete') await sql`select public.delete_specs(${[id]})`;
                else if (what === 'merge') await sql`select public.merge_in_list('brands', ${brand}, 'Aa')`;
                else
                  await sql`select public.apply_spec_callback(${id}, ${what === 'fail' ? 'failed' : 'completed'}, 1)`;
              }),
            );
            for (const result of results) {
              if (result.status === 'rejected') expect(String(result.reason)).toMatch(/brand|null value/);
            }
          }
          for (const brand of [null, ...brands]) {
            for (const area of [null, ...areas]) {
              const rows = await sql`
              select processing_status as status, count(*)::int as n from public.specs
               where (${brand}::text is null or brand_name = ${brand}) and (${area}::text is null or area = ${area}) group by 1`;
              expect(await counts(null, { brand, area })).toEqual(
                Object.fromEntries(rows.map(({ status, n }) => [status, n])),
              );
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('every order of the list shows each spec once, in pages and under filters', async () => {
    for (let n = 0; n < 9; n += 1) {
      const id = await makeSpec(db.sql, { file: `${n % 3}.pdf`, brand: brands[n % 3], area: areas[n % 2] });
      if (n % 2) await db.sql`select public.apply_spec_callback(${id}, 'completed', 1)`;
    }
    for (const sort of ['newest', 'oldest', 'file', 'brand', 'status', 'match']) {
      for (const [q, brand] of [
        [null, null],
        ['pdf', null],
        [null, 'Bb'],
        ['pdf', 'Bb'],
      ] as const) {
        const page = async (after: { id: string; at: string; key: string | null } | null, limit: number) => {
          const { specs } = await as(admin, 'admin', (tx) =>
            findSpecs(tx, {
              q,
              brand,
              sort,
              limit,
              after_key: after?.key,
              after_at: after?.at,
              after_id: after?.id,
            }),
          );
          const rows = await db.sql<{ id: string; file: string; brand: string; status: string }[]>`
            select id, file_name as file, brand_name as brand, processing_status as status
              from public.specs where id = any (${idsOf(specs)})`;
          return specs.map(({ id, created_at: at, sort_key: key }) => {
            const row = rows.find((one) => one.id === id);
            return { id, at, key, file: row?.file, brand: row?.brand, status: row?.status };
          });
        };
        const whole = await page(null, 100);
        expect(whole).toHaveLength(brand ? 3 : 9);
        const keys = whole.map((row) =>
          sort === 'file' || sort === 'brand' || sort === 'status' ? row[sort] : '',
        );
        expect(keys).toEqual([...keys].sort());
        const paged: (typeof whole)[number][] = [];
        for (;;) {
          const last = paged.at(-1);
          const rows = await page(last ? { id: last.id, at: last.at, key: last.key } : null, 2);
          if (rows.length === 0) break;
          paged.push(...rows);
        }
        expect(idsOf(paged as { id: string }[]), `${sort} ${q} ${brand}`).toEqual(whole.map(({ id }) => id));
      }
    }
  });
});
