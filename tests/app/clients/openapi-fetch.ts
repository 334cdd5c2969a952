import createClient from 'openapi-fetch';
import type { Round } from './round';
import type { paths } from './schema';

function done<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

export const round: Round = async ({ url, token, secret, putOutput }) => {
  const api = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const { id: projectId } = done(await api.POST('/api/projects', { body: { name: 'openapi-fetch' } }));

  const newJob = { projectId, prompt: 'A lobby [silent]', options: { size: '64x64', seed: 1.5 } };
  const { jobId } = done(await api.POST('/api/image-gen/jobs', { body: newJob }));
  const path = await putOutput({ projectId, jobId });
  const received = done(
    await api.POST('/api/image-gen/callback', {
      params: { query: { run: 1 } },
      headers: { 'x-webhook-secret': secret },
      body: {
        job_id: jobId,
        status: 'succeeded',
        output_paths: [{ variant_id: 'v1', path, meta: { seed: 7, nodes: [{ id: 1, of: null }] } }],
      },
    }),
  );
  const ofJob = { params: { path: { jobId } } };
  const { messages, variants } = done(await api.GET('/api/image-gen/jobs/{jobId}/messages', ofJob));
  const job = done(await api.GET('/api/image-gen/jobs/{jobId}', ofJob));
  const copy = done(await api.POST('/api/image-gen/jobs', { body: job }));

  const ofProject = { params: { path: { id: projectId } } };
  const empty = done(await api.GET('/api/projects/{id}/pages', ofProject));
  const pages = [{ id: 'one', elements: [] }];
  const first = done(await api.PUT('/api/projects/{id}/pages', { ...ofProject, body: { ...empty, pages } }));
  const saved = done(await api.PUT('/api/projects/{id}/pages', { ...ofProject, body: first }));
  const exported = done(await api.POST('/api/export/pdf', { body: { projectId, pages: saved.pages } }));
  const ofExport = { params: { path: { jobId: exported.jobId } } };
  const read = async () => done(await api.GET('/api/export/status/{jobId}', ofExport));
  let printed = await read();
  while (printed.status === 'processing') {
    await new Promise((next) => setTimeout(next, 100));
    printed = await read();
  }
  return {
    received,
    prompts: messages.map(({ prompt }) => prompt),
    metas: variants.map(({ meta }) => meta),
    copied: copy.status,
    savedPages: saved.pages.length,
    printedPages: printed.pageCount,
  };
};
