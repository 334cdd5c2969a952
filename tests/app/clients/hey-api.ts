import * as api from './client';
import { createClient } from './client/client';
import type { Round } from './round';

export const round: Round = async ({ url, token, secret, putOutput }) => {
  const credentials: Record<string, string> = { token, imageSecret: secret };
  const client = createClient({ baseUrl: url, auth: ({ key = '' }) => credentials[key] });
  const to = { client, throwOnError: true } as const;
  const { data: project } = await api.postProjects({ ...to, body: { name: 'hey-api' } });
  const projectId = project.id;

  const newJob = { projectId, prompt: 'A lobby [silent]', options: { size: '64x64', seed: 1.5 } };
  const { jobId } = (await api.postImageGenJobs({ ...to, body: newJob })).data;
  const path = await putOutput({ projectId, jobId });
  const received = await api.postImageGenCallback({
    ...to,
    query: { run: 1 },
    body: {
      job_id: jobId,
      status: 'succeeded',
      output_paths: [{ variant_id: 'v1', path, meta: { seed: 7, nodes: [{ id: 1, of: null }] } }],
    },
  });
  const ofJob = { ...to, path: { jobId } };
  const { messages, variants } = (await api.getImageGenJobsByJobIdMessages(ofJob)).data;
  const { data: job } = await api.getImageGenJobsByJobId(ofJob);
  const { data: copy } = await api.postImageGenJobs({ ...to, body: job });

  const ofProject = { ...to, path: { id: projectId } };
  const { data: empty } = await api.getProjectsByIdPages(ofProject);
  const pages = [{ id: 'one', elements: [] }];
  const { data: first } = await api.putProjectsByIdPages({ ...ofProject, body: { ...empty, pages } });
  const { data: saved } = await api.putProjectsByIdPages({ ...ofProject, body: first });
  const { data: exported } = await api.postExportPdf({ ...to, body: { projectId, pages: saved.pages } });
  const read = async () =>
    (await api.getExportStatusByJobId({ ...to, path: { jobId: exported.jobId } })).data;
  let printed = await read();
  while (printed.status === 'processing') {
    await new Promise((next) => setTimeout(next, 100));
    printed = await read();
  }
  return {
    received: received.data,
    prompts: messages.map(({ prompt }) => prompt),
    metas: variants.map(({ meta }) => meta),
    copied: copy.status,
    savedPages: saved.pages.length,
    printedPages: printed.pageCount,
  };
};
