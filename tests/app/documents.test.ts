import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { STANDARD_MARGIN } from '@/lib/document/margins';
import type { PageInput } from '@/lib/document/page-model';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { documentSummary, documentsResponse } from '@/lib/export/documents/schema';
import { pageTemplate, templatesResponse } from '@/lib/export/page-templates/schema';
import { documentVersionsResponse, exportsResponse } from '@/lib/export/schema';
import { deriveImage } from '@/lib/pdf/images/derive-image';
import { imagesResponse } from '@/lib/projects/schema';
import { createdShareLink } from '@/lib/share-links/schema';
import { type ApiResponse, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { exported, onePage, sendExport, textElement } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { unique } from '@/tests/app/support/specs';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const demoProject = 'b0000000-0000-4000-8000-000000000001';
let team: Team;
beforeAll(async () => {
  team = await makeTeam();
});

const tableElement = {
  id: 't',
  type: 'table',
  x: 0,
  y: 0,
  w: 50,
  h: 50,
  columns: [{ label: 'Item' }],
  rows: [],
};

const read = async (id: string): Promise<ProjectDocument> => {
  const response = await team.owner.api(`/api/projects/${id}/pages`);
  expect(response.status, excerpt(response)).toBe(200);
  return projectDocument.parse(response.body);
};
const save = (id: string, document: object): Promise<ApiResponse> =>
  team.owner.api(`/api/projects/${id}/pages`, { method: 'PUT', json: document });

describe('the versions of a document', () => {
  const versions = async (id: string, query = '') => {
    const response = await team.owner.api(`/api/projects/${id}/pages/versions${query}`);
    expect(response.status, excerpt(response)).toBe(200);
    return documentVersionsResponse.parse(response.body);
  };
  const page = (id: string, text: string) => ({ ...onePage(text), id });

  test('each save keeps the version that it replaces, and one page or all pages of a version can be restored', async () => {
    const id = await makeProject(team.owner.api);
    await save(id, { version: 0, cover: { title: 'First' }, pages: [page('a', 'One'), page('b', 'Two')] });
    await save(id, { version: 1, cover: { title: 'Second' }, pages: [page('a', 'Other')] });
    const [first] = (await versions(id)).versions;
    expect(first).toMatchObject({
      version: 1,
      name: null,
      pageCount: 2,
      savedBy: team.owner.id,
      changes: null,
    });
    const path = `/api/projects/${id}/pages/versions/${first?.id}`;
    expect((await team.owner.api(path)).body).toMatchObject({ version: 1, cover: { title: 'First' } });

    const restore = (body: object) => team.owner.api(`${path}/restore`, { method: 'POST', json: body });
    expectProblem(await restore({ version: 2, pageIds: ['c'] }), 'invalid_request');
    expectProblem(await restore({ version: 1 }), 'state_conflict');
    const onlyB = await restore({ version: 2, pageIds: ['b'] });
    expect(onlyB.body).toMatchObject({
      version: 3,
      cover: { title: 'Second' },
      pages: [page('a', 'Other'), page('b', 'Two')],
    });
    expect((await restore({ version: 3 })).body).toMatchObject({
      version: 4,
      cover: { title: 'First' },
      pages: [page('a', 'One'), page('b', 'Two')],
    });
    expect((await read(id)).version).toBe(4);
    // Each restoration kept the version that it replaced.
    expect((await versions(id)).versions.map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  test('a version can be named and renamed, and the list is read page by page', async () => {
    const id = await makeProject(team.owner.api);
    await save(id, { version: 0, pages: [] });
    const path = `/api/projects/${id}/pages/versions`;
    const keep = (body: object) => team.owner.api(path, { method: 'POST', json: body });
    const kept = await keep({ version: 1, name: 'For the client' });
    expect(kept.status, excerpt(kept)).toBe(201);
    await save(id, { version: 1, pages: [onePage('One')] });
    expectProblem(await keep({ version: 1 }), 'state_conflict');
    expect((await keep({ version: 2 })).status).toBe(201);
    const first = await versions(id, '?limit=1');
    expect(first.versions).toMatchObject([
      { version: 2, changes: { added: 1, removed: 0, changed: 0, settings: false } },
    ]);
    const next = await versions(id, `?limit=1&cursor=${first.nextCursor}`);
    expect(next).toMatchObject({ versions: [{ version: 1, name: 'For the client' }], nextCursor: null });
    const one = `${path}/${next.versions[0]?.id}`;
    expect((await team.owner.api(one, { method: 'PATCH', json: { name: null } })).status).toBe(204);
    expectProblem(
      await team.owner.api(one, { method: 'PATCH', json: { name: 'x'.repeat(101) } }),
      'invalid_request',
    );
    expect((await versions(id)).versions.map(({ name }) => name)).toEqual([null, null]);
  });

  test('an export names the version that it printed', { tags: ['extended'] }, async () => {
    const id = await makeProject(team.owner.api);
    const { body } = await save(id, { version: 0, cover: { title: 'Cover' }, pages: [onePage('Printed')] });
    const { pages } = projectDocument.parse(body);
    const { job } = await exported(team.owner.api, { projectId: id, pages });
    const [version] = (await versions(id)).versions;
    expect(version).toMatchObject({ version: 1, printed: true });
    expect(job.versionId).toBe(version?.id);
    const other = await exported(team.owner.api, { projectId: id, pages: [onePage('Other')] });
    expect(other.job.versionId).toBeNull();
  });
});

describe('the documents of a project', () => {
  const documents = async (id: string, state = 'active') => {
    const response = await team.owner.api(`/api/projects/${id}/documents?state=${state}`);
    expect(response.status, excerpt(response)).toBe(200);
    return documentsResponse.parse(response.body).documents;
  };
  const create = async (id: string, body: object) => {
    const response = await team.owner.api(`/api/projects/${id}/documents`, { json: body });
    expect(response.status, excerpt(response)).toBe(201);
    const created = documentSummary.parse(response.body);
    expect(response.headers.get('location')).toBe(`/api/projects/${id}/documents/${created.id}`);
    return created;
  };
  const pagesPath = (id: string, documentId: string) => `/api/projects/${id}/pages?documentId=${documentId}`;
  const titled = (text: string) => [{ ...onePage(text), title: text }];

  test('calls that name no document read and save the main document of the project', async () => {
    const id = await makeProject(team.owner.api);
    const [main] = await documents(id);
    expect(main).toMatchObject({ id, name: 'Main document', isMain: true, version: 0, savedAt: null });
    const book = await create(id, { name: '  Spec book ' });
    expect(book).toMatchObject({ name: 'Spec book', isMain: false, version: 1, savedBy: team.owner.id });
    await save(id, { version: 0, pages: titled('Main') });
    const saved = await team.owner.api(pagesPath(id, book.id), {
      method: 'PUT',
      json: { version: 1, format: 'square', pages: titled('Book') },
    });
    expect(saved.status, excerpt(saved)).toBe(200);
    expect(await read(id)).toMatchObject({ version: 1, format: 'A4', pages: [{ title: 'Main' }] });
    expect((await team.owner.api(pagesPath(id, book.id))).body).toMatchObject({
      version: 2,
      format: 'square',
      pages: [{ title: 'Book' }],
    });
    expect((await team.owner.api(pagesPath(id, id))).body).toEqual(
      (await team.owner.api(`/api/projects/${id}/pages`)).body,
    );
    expect((await documents(id)).map(({ name }) => name)).toEqual(['Main document', 'Spec book']);
    const shown = await team.owner.api(`/api/export/render/${id}?documentId=${book.id}`);
    expect(shown.text).toContain('Book');
  });

  test('a new document has the paper, masters and styles of the main one, but neither its pages nor its cover', async () => {
    const id = await makeProject(team.owner.api);
    const look = {
      format: 'A3',
      masters: [{ id: 'default', title: 'Default', elements: [] }],
      styles: [{ id: 'heading', name: 'Heading', fontSize: 30 }],
    };
    await save(id, { version: 0, ...look, cover: { title: 'Main' }, pages: titled('Main') });
    const { id: documentId } = await create(id, { name: 'Book' });
    const { body } = await team.owner.api(pagesPath(id, documentId));
    const { styles, masters, format } = await read(id);
    expect(body).toMatchObject({ version: 1, format, styles, masters, pages: [], cover: { title: '' } });
    expect(styles).toMatchObject(look.styles);
  });

  test('the versions, exports and links of documents are kept apart', { tags: ['extended'] }, async () => {
    const id = await makeProject(team.owner.api);
    await save(id, { version: 0, pages: titled('Main') });
    const book = await create(id, { name: 'Book', copyOf: id });
    const path = `/api/projects/${id}/pages/versions`;
    const json = { version: 1, name: 'Final' };
    expect((await team.owner.api(`${path}?documentId=${book.id}`, { json })).status).toBe(201);
    expect((await team.owner.api(path)).body).toMatchObject({ versions: [] });
    const listed = await team.owner.api(`${path}?documentId=${book.id}`);
    const [version] = documentVersionsResponse.parse(listed.body).versions;
    expect(version?.name).toBe('Final');
    expectProblem(await team.owner.api(`${path}/${version?.id}`), 'not_found');

    const { body } = await team.owner.api(pagesPath(id, book.id));
    const { pages } = projectDocument.parse(body);
    const { job } = await exported(team.owner.api, { projectId: id, documentId: book.id, pages });
    expect(job).toMatchObject({ documentId: book.id, versionId: version?.id });
    const jobsOf = async (documentId: string) => {
      const response = await team.owner.api(`/api/export/jobs?projectId=${id}&documentId=${documentId}`);
      return exportsResponse.parse(response.body).jobs.map(({ jobId }) => jobId);
    };
    expect([await jobsOf(book.id), await jobsOf(id)]).toEqual([[job.jobId], []]);

    const link = await team.owner.api(`/api/projects/${id}/share-links`, {
      json: { kind: 'document', documentId: book.id, name: 'Review' },
    });
    expect(link.status, excerpt(link)).toBe(201);
    const { url: shared, documentId } = createdShareLink.parse(link.body);
    expect(documentId).toBe(book.id);
    await team.owner.api(pagesPath(id, book.id), {
      method: 'PUT',
      json: { version: 1, pages: titled('Only here') },
    });
    const visit = () => fetch(`${url}${new URL(shared).pathname}/document`);
    expect(await (await visit()).text()).toContain('Only here');
    await team.owner.api(`/api/projects/${id}/documents/${book.id}`, { method: 'DELETE' });
    expect((await visit()).status).toBe(404);
  });

  test('an archived document is read-only and hidden from the list, and a deleted one can be restored', async () => {
    const id = await makeProject(team.owner.api);
    const book = await create(id, { name: 'Book' });
    const path = `/api/projects/${id}/documents/${book.id}`;
    const renamed = await team.owner.api(path, { method: 'PATCH', json: { name: 'Old book' } });
    expect(renamed.body).toMatchObject({ id: book.id, name: 'Old book' });
    const archived = await team.owner.api(`${path}/archive`, { json: { archived: true } });
    expect(documentSummary.parse(archived.body).archivedAt).not.toBeNull();
    const again = { method: 'PUT', json: { version: 1, pages: [] } };
    expectProblem(await team.owner.api(pagesPath(id, book.id), again), 'document_archived');
    expect((await documents(id)).map((one) => one.id)).toEqual([id]);
    expect((await documents(id, 'archived')).map((one) => one.id)).toEqual([book.id]);

    expect((await team.owner.api(path, { method: 'DELETE' })).status).toBe(204);
    expectProblem(await team.owner.api(pagesPath(id, book.id)), 'not_found');
    expectProblem(await team.owner.api(path), 'not_found');
    const [deleted] = await documents(id, 'deleted');
    expect(deleted?.restorableUntil).not.toBeNull();
    expect((await team.owner.api(`${path}/restore`, { method: 'POST' })).status).toBe(200);
    expect((await documents(id, 'archived')).map(({ name }) => name)).toEqual(['Old book']);
  });

  test('the main document can be renamed and archived before it is first saved, but not deleted', async () => {
    const id = await makeProject(team.owner.api);
    const path = `/api/projects/${id}/documents/${id}`;
    expect((await team.owner.api(path, { method: 'PATCH', json: { name: 'Pitch' } })).status).toBe(200);
    expect(await documents(id)).toMatchObject([{ id, name: 'Pitch', isMain: true, version: 1 }]);
    // Except for its version, the document equals one that was never saved.
    const other = await makeProject(team.owner.api);
    expect(await read(id)).toEqual({ ...(await read(other)), version: 1 });
    expectProblem(await team.owner.api(path, { method: 'DELETE' }), 'state_conflict');
    expect((await team.owner.api(`${path}/archive`, { json: { archived: true } })).status).toBe(200);
    expectProblem(await save(id, { version: 1, pages: [] }), 'document_archived');
  });

  test('a page template is listed and read in another project, and only its creator changes it', async () => {
    const first = await makeProject(team.owner.api);
    const path = (id: string, template = '') => `/api/projects/${id}/page-templates${template}`;
    const json = { name: 'Board', content: { format: 'A3', pages: titled('Board') } };
    const created = await team.owner.api(path(first), { json });
    expect(created.status, excerpt(created)).toBe(201);
    const { id } = pageTemplate.parse(created.body);
    const other = team.projectId;
    const listed = await team.editor.api(path(other));
    expect(templatesResponse.parse(listed.body).templates).toContainEqual(
      expect.objectContaining({ id, name: 'Board', pageCount: 1, canChange: false }),
    );
    expect((await team.editor.api(path(other, `/${id}`))).body).toMatchObject({
      content: { format: 'A3', pages: [{ title: 'Board' }] },
    });
    const change = { method: 'PATCH', json: { name: 'Mine' } };
    expectProblem(await team.editor.api(path(other, `/${id}`), change), 'forbidden');
    expectProblem(await team.viewer.api(path(other)), 'forbidden');
    expect((await team.owner.api(path(other, `/${id}`), change)).body).toMatchObject({ name: 'Mine' });
    expect((await team.owner.api(path(other, `/${id}`), { method: 'DELETE' })).status).toBe(204);
    expectProblem(await team.owner.api(path(other, `/${id}`)), 'not_found');
    expectProblem(
      await team.owner.api(path(first), { json: { ...json, content: { pages: [] } } }),
      'invalid_request',
    );
  });

  test('document and template requests with one Idempotency-Key create one of each', async () => {
    const { api } = team.owner;
    const id = await makeProject(api);
    const expectOne = async (path: string, json: object & { name: string }) => {
      const headers = { 'idempotency-key': randomUUID() };
      const responses = await Promise.all(Array.from({ length: 3 }, () => api(path, { json, headers })));
      const [first] = responses;
      if (!first) throw new Error('no response');
      expect(first.status, excerpt(first)).toBe(201);
      for (const { body } of responses) expect(body).toEqual(first.body);
      expectProblem(await api(path, { json: { ...json, name: 'Other' }, headers }), 'idempotency_mismatch');
      return first.body;
    };
    const copy = { name: unique('Book'), copyOf: id };
    const created = documentSummary.parse(await expectOne(`/api/projects/${id}/documents`, copy));
    expect((await documents(id)).map((one) => one.id)).toEqual([id, created.id]);

    const path = `/api/projects/${id}/page-templates`;
    const board = { name: unique('Board'), content: { pages: titled('Board') } };
    const saved = pageTemplate.parse(await expectOne(path, board));
    const { templates } = templatesResponse.parse((await api(path)).body);
    expect(templates.filter(({ name }) => name === board.name)).toEqual([saved]);
    expect((await api(`${path}/${saved.id}`, { method: 'DELETE' })).status).toBe(204);
  });

  test('an Idempotency-Key can be used again after its document was refused, and counts separately in each project', async () => {
    const { api } = team.owner;
    const headers = { 'idempotency-key': randomUUID() };
    const send = (project: string, json: object) =>
      api(`/api/projects/${project}/documents`, { json, headers });
    const first = await makeProject(api);
    expectProblem(await send(first, { name: 'Book', copyOf: randomUUID() }), 'not_found');
    const created = await send(first, { name: 'Book' });
    expect(created.status, excerpt(created)).toBe(201);
    expect((await send(first, { name: 'Book' })).body).toEqual(created.body);
    const elsewhere = await send(await makeProject(api), { name: 'Elsewhere' });
    expect(elsewhere.body).toMatchObject({ name: 'Elsewhere' });
  });

  test('a document of another project is not found', async () => {
    const id = await makeProject(team.owner.api);
    const { id: foreign } = await create(await makeProject(team.owner.api), { name: 'Elsewhere' });
    const api = team.owner.api;
    const pages = titled('Mine');
    for (const response of [
      await api(pagesPath(id, foreign)),
      await api(`/api/projects/${id}/pages/versions?documentId=${foreign}`),
      await api(`/api/projects/${id}/pages/versions?documentId=${foreign}`, { json: { version: 1 } }),
      await api(pagesPath(id, foreign), { method: 'PUT', json: { version: 1, pages } }),
      await api(`/api/projects/${id}/pages/version?documentId=${foreign}`),
      await api(`/api/export/render/${id}?documentId=${foreign}`),
      await api('/api/export/pdf', { json: { projectId: id, documentId: foreign, pages } }),
      await api(`/api/projects/${id}/share-links`, {
        json: { kind: 'document', documentId: foreign, name: 'x' },
      }),
      await api(`/api/projects/${id}/documents`, { json: { name: 'Copy', copyOf: foreign } }),
      await api(`/api/projects/${id}/documents/${foreign}`, { method: 'DELETE' }),
    ]) {
      expectProblem(response, 'not_found');
    }
  });
});

describe('the pages of a project', () => {
  test('a project has no pages until a user has saved some', async () => {
    const id = await makeProject(team.owner.api);
    expect(await read(id)).toMatchObject({
      version: 0,
      format: 'A4',
      orientation: 'portrait',
      language: 'en',
      pages: [],
    });
  });

  test('saved pages are returned unchanged, and can be saved again and exported', async () => {
    const id = await makeProject(team.owner.api);
    const response = await save(id, {
      version: 0,
      format: 'letter',
      orientation: 'landscape',
      language: 'nb',
      cover: { title: 'Cover' },
      pages: [onePage('Words with  two blanks\nand a line'), onePage('<b>no markup</b> 東京 🎨')],
    });
    expect(response.status, excerpt(response)).toBe(200);
    const first = await read(id);
    expect(first).toEqual(response.body);
    expect(first).toMatchObject({
      version: 1,
      format: 'letter',
      margin: STANDARD_MARGIN,
      language: 'nb',
      cover: { title: 'Cover', subtitle: '' },
    });
    expect((await save(id, first)).body).toEqual({ ...first, version: 2 });
    const started = await sendExport(team.owner.api, { ...first, projectId: id });
    expect(started.status, excerpt(started)).toBe(202);
  });

  test('a document keeps its paper, margin, cover, contents and masters, which previews and exports use', async () => {
    const id = await makeProject(team.owner.api);
    const settings = {
      format: 'custom',
      customSize: { width: 120.5, height: 80 },
      margin: 10,
      includecover: true,
      includeToc: true,
      masters: [
        { id: 'default', title: 'Letterhead', elements: [textElement('t', 'Studio, {page} of {pages}')] },
      ],
    };
    const saved = await save(id, { version: 0, ...settings, pages: [onePage('Words')] });
    expect(saved.status, excerpt(saved)).toBe(200);
    const document = await read(id);
    expect(document).toMatchObject(settings);
    const preview = await team.owner.api(`/api/export/render/${id}`);
    expect(preview.text.match(/<section class="doc-sheet"/g)).toHaveLength(3);
    expect(preview.text).toContain('@page { size: 120.5mm 80mm;');
    expect(preview.text).toContain('Studio, 3 of 3');
    const bare = await team.owner.api(
      `/api/export/render/${id}?includecover=false&includeToc=false&format=A4`,
    );
    expect(bare.text.match(/<section class="doc-sheet"/g)).toHaveLength(1);
    expect(bare.text).toContain('@page { size: 210mm 297mm;');
    const { job } = await exported(team.owner.api, { projectId: id, pages: document.pages });
    expect(job).toMatchObject({ pageCount: 3, options: { format: 'custom', includecover: true } });
    // A save without settings keeps the stored ones; null resets a setting to its default.
    const kept = await save(id, { version: 1, language: 'nb', pages: [] });
    expect(kept.body).toEqual({ ...document, version: 2, language: 'nb', pages: [] });
    expect(await read(id)).toEqual(kept.body);
    expect((await save(id, { version: 2, format: null, masters: [], pages: [] })).body).toEqual({
      ...document,
      version: 3,
      format: 'A4',
      language: 'nb',
      masters: [],
      pages: [],
    });
  });

  test.each([
    ['customSize.width', { customSize: { width: 49.9, height: 100 } }],
    ['customSize.height', { customSize: { width: 50, height: 1000.1 } }],
    ['margin', { margin: -1 }],
    ['masters.0.elements', { masters: [{ id: 'm', elements: [tableElement] }] }],
    ['masters', { masters: Array.from({ length: 11 }, (_, n) => ({ id: `m${n}`, elements: [] })) }],
  ])('a document with an invalid %s is rejected', async (path, wrong) => {
    const id = await makeProject(team.owner.api);
    const response = await save(id, { version: 0, pages: [], ...wrong });
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(path);
  });

  test('only one of several simultaneous saves succeeds, and the others get a conflict', async () => {
    const id = await makeProject(team.owner.api);
    for (const version of [0, 1]) {
      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, n) => save(id, { version, pages: [onePage(`writer ${n}`)] })),
      );
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expect(expectProblem(response, 'state_conflict').currentVersion).toBe(version + 1);
      }
      expect(await read(id)).toEqual(won[0]?.body);
    }
    expect(expectProblem(await save(id, { version: 7, pages: [] }), 'state_conflict').currentVersion).toBe(2);
    const other = await makeProject(team.owner.api);
    expectProblem(await save(other, { version: 1, pages: [] }), 'state_conflict');
  });

  test('changing a style or color of a saved document changes the elements that refer to it', async () => {
    const id = await makeProject(team.owner.api);
    const body = { id: 'body', name: 'Body', fontSize: 14, colorId: 'red' };
    const red = { id: 'red', name: 'Brand red', color: '#cc0000' };
    const elements = [
      textElement('a', 'Oak', { styleId: 'body' }),
      textElement('b', 'Oak', { styleId: 'body', overrides: ['fontSize'], fontSize: 9 }),
      textElement('c', 'Oak', { styleId: 'gone', fontSize: 8 }),
    ];
    const first = await save(id, {
      version: 0,
      styles: [body],
      colors: [red],
      pages: [{ id: 'p', elements }],
    });
    expect(first.status, excerpt(first)).toBe(200);
    const saved = await read(id);
    const look = ({ pages }: ProjectDocument) =>
      pages[0]?.elements.map((each) => (each.type === 'text' ? [each.fontSize, each.color] : []));
    expect(look(saved)).toEqual([
      [14, '#cc0000'],
      [9, '#cc0000'],
      [8, '#1f2328'],
    ]);
    const blue = { ...saved, styles: [{ ...body, fontSize: 20 }], colors: [{ ...red, color: '#0000cc' }] };
    expect((await save(id, blue)).status).toBe(200);
    expect(look(await read(id))).toEqual([
      [20, '#0000cc'],
      [9, '#0000cc'],
      [8, '#1f2328'],
    ]);
  });

  test('a document may have as many pages and elements as the limits allow', {
    tags: ['extended'],
  }, async () => {
    const id = await makeProject(team.owner.api);
    const elements = Array.from({ length: 200 }, (_, n) => textElement(`e${n}`, 'Some words of a page'));
    const pages = Array.from({ length: 200 }, (_, n): PageInput => ({ id: `p${n}`, elements }));
    const response = await save(id, { version: 0, pages });
    expect(response.status, excerpt(response)).toBe(200);
    expect((await read(id)).pages).toHaveLength(200);
  });

  test.each<[string, string, object]>([
    ['Page 2 “Lobby”, in_toc', 'pages.1.in_toc', { id: 'b', title: 'Lobby', elements: [], in_toc: true }],
    [
      'Page 2 “b”, elements',
      'pages.1.elements',
      { id: 'b', elements: Array(201).fill(textElement('t', 'x')) },
    ],
    [
      'Page 2 “b”, text 1 “t”, w',
      'pages.1.elements.0.w',
      { id: 'b', elements: [textElement('t', 'x', { w: 1e9 })] },
    ],
    ['Page 2 “a”, id', 'pages.1.id', { id: 'a', elements: [] }],
  ])('wrong pages are refused with the path of the mistake: %s', async (place, path, page) => {
    const id = await makeProject(team.owner.api);
    const response = await save(id, { version: 0, pages: [{ id: 'a', elements: [] }, page] });
    const problem = expectProblem(response, 'invalid_request');
    expect(problem.errors?.[0]?.path).toBe(path);
    expect(problem.detail).toContain(`${place}: `);
    expect((await read(id)).version).toBe(0);
  });
});

describe('the images of pages on screen', () => {
  const viewOf = async (id: string, key: string, width: number) => {
    const { headers } = await signIn(env, team.owner.email);
    const query = new URLSearchParams({ key, width: String(width) });
    const response = await fetch(`${url}/api/projects/${id}/pages/images?${query}`, { headers });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  };

  test('a screen gets a smaller image in print colors, and transparency is kept', async () => {
    const { api } = team.owner;
    const id = await makeProject(api);
    const lime = { create: { width: 900, height: 600, channels: 3, background: '#7ac82a' } } as const;
    const cmyk = await sharp(lime).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer();
    const glass = await sharp({
      create: { width: 400, height: 200, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const [opaque, clear] = [await addImage(api, id, cmyk), await addImage(api, id, glass)];

    const small = await viewOf(id, opaque.id, 320);
    expect(small.response.headers.get('content-type')).toBe('image/webp');
    expect(small.response.headers.get('cache-control')).toMatch(/^private/);
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 320, height: 213, space: 'srgb' });
    const printed = await deriveImage(cmyk, 320);
    if (typeof printed === 'string') throw new Error(printed);
    const meanOf = async (bytes: Uint8Array) => (await sharp(bytes).stats()).channels.map(({ mean }) => mean);
    const wanted = await meanOf(printed.jpeg);
    expect(await meanOf(small.bytes)).toEqual(wanted.map((mean) => expect.closeTo(mean, -0.7)));

    const large = await viewOf(id, clear.path, 3200);
    expect(await sharp(large.bytes).metadata()).toMatchObject({ width: 400, hasAlpha: true });
  });

  test('an image of another project and a width that does not exist are rejected', async () => {
    const [id, other] = [await makeProject(team.owner.api), await makeProject(team.owner.api)];
    const foreign = await addImage(team.owner.api, other);
    expect((await viewOf(id, foreign.id, 320)).response.status).toBe(404);
    expect((await viewOf(other, foreign.id, 320)).response.status).toBe(200);
    expect((await viewOf(other, foreign.id, 321)).response.status).toBe(400);
  });
});

test('the demo project has pages', async () => {
  const member = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
  const response = await member(`/api/projects/${demoProject}/pages`);
  expect(projectDocument.parse(response.body).pages.map(({ title }) => title)).toEqual([
    'Concept',
    'Materials',
    'Next steps',
  ]);
  const preview = await member(`/api/export/render/${demoProject}?includecover=true&includeToc=true`);
  expect(preview.status).toBe(200);
  expect(preview.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(preview.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  // The fonts are embedded, so a saved preview looks the same everywhere.
  expect(preview.headers.get('content-security-policy')).toContain('font-src data:;');
  expect(preview.text).toMatch(
    /@font-face \{ font-family: Noto Sans; [^}]+src: url\(data:font\/woff2;base64,/,
  );
  expect(preview.text).not.toMatch(/url\((?!data:)/);
  expect(preview.text).toMatch(/^<!doctype html><html/);
  expect(preview.text.match(/<section class="doc-sheet"/g)).toHaveLength(5);
  expect(preview.text).toContain('Salt, timber and slow light');
  // `storeDemoPicture` drew the image on the first page and uploaded it to storage before the tests.
  const { images } = imagesResponse.parse((await member(`/api/projects/${demoProject}/images`)).body);
  const picture = images.find(({ fileName }) => fileName === 'Sail lofts at dusk.jpeg');
  expect((await fetch(picture?.url ?? '')).headers.get('content-type')).toBe('image/jpeg');
  // The preview loads scaled-down versions of the images, and loads each only when it becomes visible.
  const [, source = ''] = /<img [^>]*loading="lazy"[^>]* srcSet="([^ ]+) 320w/.exec(preview.text) ?? [];
  expect(source).toContain(`key=${picture?.id}`);
  expect(preview.text).not.toContain('token=');
  expect((await member(source.replaceAll('&amp;', '&'))).headers.get('content-type')).toBe('image/webp');
});
