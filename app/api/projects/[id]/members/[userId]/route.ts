import { methods, route } from '@/lib/http/route';
import { memberParams } from '@/lib/projects/schema';
import { removeMember } from '@/lib/projects/set-member';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    access: 'owner',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Removes a member from a project.',
    docs: { codes: ['state_conflict'] },
    params: memberParams,
    status: 204,
    handle: ({ projectId, params }) => removeMember(projectId, params.userId),
  }),
});
