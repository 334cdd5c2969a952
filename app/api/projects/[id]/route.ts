import { methods, route } from '@/lib/http/route';
import { deleteProject, renameProject } from '@/lib/projects/change-project';
import { requireProject } from '@/lib/projects/queries';
import { project, projectNameBody, projectParams } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns a project with your role in it.',
    params: projectParams,
    status: 200,
    response: project,
    handle: ({ caller, params }) => requireProject(caller, params.id),
  }),
  PATCH: route({
    access: 'owner',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Renames a project.',
    params: projectParams,
    body: projectNameBody,
    status: 200,
    response: project,
    handle: async ({ caller, projectId, body }) => {
      await renameProject(projectId, body.name);
      return requireProject(caller, projectId);
    },
  }),
  DELETE: route({
    access: 'owner',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Deletes a project. An owner can restore it for 30 days.',
    params: projectParams,
    status: 204,
    handle: ({ projectId }) => deleteProject(projectId),
  }),
});
