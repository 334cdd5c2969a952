import { methods, route } from '@/lib/http/route';
import { archiveProject } from '@/lib/projects/change-project';
import { requireProject } from '@/lib/projects/queries';
import { archiveProjectBody, project, projectParams } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'owner',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Archives a project, which can then only be read, or unarchives it.',
    params: projectParams,
    body: archiveProjectBody,
    status: 200,
    response: project,
    handle: async ({ caller, projectId, body }) => {
      await archiveProject(projectId, body.archived);
      return requireProject(caller, projectId);
    },
  }),
});
