import { methods, route } from '@/lib/http/route';
import { invitePerson } from '@/lib/people/invite-person';
import { listPeople } from '@/lib/people/queries';
import { accountLink, inviteBody, listPeopleQuery, peopleResponse } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the people with an account, newest first.',
    query: listPeopleQuery,
    status: 200,
    response: peopleResponse,
    handle: ({ query }) => listPeople(query),
  }),
  POST: route({
    access: 'admin-session',
    summary:
      'Creates an account and sends an invitation by email. With `copy` or without a mail server, returns its link.',
    docs: { codes: ['already_exists', 'not_found', 'state_conflict'] },
    rate: 'costly',
    body: inviteBody,
    status: 201,
    response: accountLink,
    location: ({ personId }) => `/api/admin/people/${personId}`,
    handle: ({ body }) => invitePerson(body),
  }),
});
