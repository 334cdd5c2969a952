import { methods, route } from '@/lib/http/route';
import { createAccountLink } from '@/lib/people/account-link';
import { accountLink, createLinkBody, personParams } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin-session',
    summary:
      'Sends the invitation again, or a link to a new password. With `copy` or without a mail server, returns the link.',
    docs: { codes: ['not_found', 'state_conflict'] },
    rate: 'costly',
    params: personParams,
    body: createLinkBody,
    status: 201,
    response: accountLink,
    location: ({ personId }) => `/api/admin/people/${personId}`,
    handle: ({ params, body }) => createAccountLink(params.id, body.copy),
  }),
});
