import { methods, route } from '@/lib/http/route';
import { createTemplate, listTemplates, requireTemplate } from '@/lib/export/page-templates/page-templates';
import {
  createTemplateBody,
  listTemplatesQuery,
  MAX_TEMPLATE_BYTES,
  pageTemplate,
  templatesResponse,
} from '@/lib/export/page-templates/schema';
import { documentParams } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the page templates that people of the studio saved, newest first.',
    params: documentParams,
    query: listTemplatesQuery,
    status: 200,
    response: templatesResponse,
    handle: ({ caller, query }) => listTemplates(caller, query),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Saves pages with their masters as a template for all projects of the studio, which can have 500.',
    docs: { codes: ['state_conflict'] },
    rate: 'costly',
    idempotent: true,
    params: documentParams,
    body: createTemplateBody,
    maxBytes: MAX_TEMPLATE_BYTES,
    status: 201,
    response: pageTemplate,
    location: (template, { id }) => `/api/projects/${id}/page-templates/${template.id}`,
    handle: async ({ caller, projectId, body, idempotency }) =>
      requireTemplate(caller, await createTemplate(projectId, caller.userId, body, idempotency)),
  }),
});
