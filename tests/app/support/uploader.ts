import { createClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { expect, inject } from 'vitest';
import { type Api, type ApiResponse, apiAt, excerpt } from '@/tests/app/support/api';
import { objectsBelow, openDatabase, writtenBy } from '@/tests/app/support/database';
import type { Form } from '@/tests/app/support/form';
import { newAdmin, type Person } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';
import { type UploadParts, uploadParts } from '@/tests/app/support/upload-parts';

export type Uploader = Awaited<ReturnType<typeof makeUploader>>;

/**
 * Creates an admin and a brand for one test file. They keep the rows and objects of this test file apart from those of
 * other test files.
 */
export async function makeUploader(name: string) {
  const { url, env } = inject('atelier');
  const person: Person = await newAdmin(env);
  const admin: Api = apiAt(url, person.headers);
  const sql: Sql = openDatabase();
  const brandName = unique(name);
  const folder = brandName.toLowerCase().replace(' ', '-');
  const silent = { brandName, propertyName: 'Hotel [silent]' };
  expect((await admin('/api/admin/brands', { json: { name: brandName } })).status).toBe(201);

  /** Counts this admin's rows and lists the keys of this brand's objects. */
  async function traces() {
    return { rows: await writtenBy(sql, person.id), objects: await objectsBelow(sql, folder) };
  }

  /** Expects a 4xx response. The request must leave neither a row nor an object behind. */
  async function refused(answering: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const before = await traces();
    const response = await answering();
    expect(response.status, excerpt(response)).toBeGreaterThanOrEqual(400);
    expect(response.status, excerpt(response)).toBeLessThan(500);
    expect(await traces()).toEqual(before);
    return response;
  }

  /** Expects the storage API to list one folder for each of the brand's specs, each with one file, and nothing else. */
  async function expectOnlyNamedFiles(): Promise<void> {
    const client = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '');
    const rows = await sql<{ id: string }[]>`
      select s.id from public.spec_uploads s join public.brands b on b.id = s.brand_id where b.name = ${brandName}`;
    const { data } = await client.storage.from('specs').list(folder, { limit: 1000 });
    expect(data?.map((entry) => entry.name).sort()).toEqual(rows.map(({ id }) => id).sort());
    for (const { id } of rows) {
      const files = await client.storage.from('specs').list(`${folder}/${id}`);
      expect(files.data).toHaveLength(1);
    }
  }

  return {
    person,
    admin,
    sql,
    brandName,
    folder,
    /** Parts of an upload for which the workflow service sends no report. */
    silent,
    parts: (changes: UploadParts = {}) => uploadParts({ ...silent, ...changes }),
    send: ({ body, headers }: Form) => admin('/api/admin/specs/upload', { method: 'POST', body, headers }),
    traces,
    refused,
    expectOnlyNamedFiles,
  };
}
