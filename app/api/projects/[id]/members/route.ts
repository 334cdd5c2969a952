import { methods, route } from '@/lib/http/route';
import { withProfiles } from '@/app/with-profiles';
import { listMembers } from '@/lib/projects/queries';
import { member, membersResponse, projectParams, setMemberBody } from '@/lib/projects/schema';
import { setMember } from '@/lib/projects/set-member';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the members of a project.',
    params: projectParams,
    status: 200,
    response: membersResponse,
    handle: async ({ projectId }) => ({ members: await withProfiles(await listMembers(projectId)) }),
  }),
  POST: route({
    access: 'owner',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Adds a member by email address, or changes a member's role.",
    docs: { codes: ['unknown_account', 'state_conflict'] },
    // The response reveals whether an email address has an account, so the rate limit is strict.
    rate: 'costly',
    params: projectParams,
    body: setMemberBody,
    status: 201,
    response: member,
    location: (response, params) => `/api/projects/${params.id}/members/${response.userId}`,
    handle: ({ projectId, body }) => setMember(projectId, body.email, body.role),
  }),
});
