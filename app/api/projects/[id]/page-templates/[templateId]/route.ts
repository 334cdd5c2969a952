import { methods, route } from '@/lib/http/route';
import { deleteTemplate, renameTemplate, requireTemplate } from '@/lib/export/page-templates/page-templates';
import {
  filledTemplate,
  pageTemplate,
  renameTemplateBody,
  templateParams,
} from '@/lib/export/page-templates/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Returns a page template with its pages. Images of other projects must be copied before the pages are saved.',
    params: templateParams,
    status: 200,
    response: filledTemplate,
    handle: ({ caller, params }) => requireTemplate(caller, params.templateId),
  }),
  PATCH: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Renames a page template. Only its creator and administrators may do this.',
    params: templateParams,
    body: renameTemplateBody,
    status: 200,
    response: pageTemplate,
    handle: async ({ caller, params, body }) => {
      await renameTemplate(caller, params.templateId, body.name);
      return requireTemplate(caller, params.templateId);
    },
  }),
  DELETE: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Deletes a page template. Only its creator and administrators may do this.',
    params: templateParams,
    status: 204,
    handle: ({ caller, params }) => deleteTemplate(caller, params.templateId),
  }),
});
