import { methods, route } from '@/lib/http/route';
import { restoreProject } from '@/lib/projects/change-project';
import { requireProject } from '@/lib/projects/queries';
import { project, projectParams } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'owner',
    project: ({ params }) => ({ deletedProjectId: params.id }),
    summary: 'Restores a project that was deleted less than 30 days ago.',
    params: projectParams,
    status: 200,
    response: project,
    handle: async ({ caller, projectId }) => {
      await restoreProject(projectId);
      return requireProject(caller, projectId);
    },
  }),
});
