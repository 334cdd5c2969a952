import { HttpError } from '@/lib/errors/problem';
import { methods, route } from '@/lib/http/route';
import { getProject } from '@/lib/projects/queries';
import { project, projectParams } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns a project with your role in it.',
    params: projectParams,
    status: 200,
    response: project,
    handle: async ({ caller, params }) => {
      const found = await getProject(caller, params.id);
      if (!found) throw new HttpError('not_found');
      return found;
    },
  }),
});
