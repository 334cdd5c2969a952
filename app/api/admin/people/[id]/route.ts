import { methods, route } from '@/lib/http/route';
import { changePerson } from '@/lib/people/change-person';
import { onePerson } from '@/lib/people/queries';
import { changePersonBody, person, personParams } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns one person.',
    docs: { codes: ['not_found'] },
    params: personParams,
    status: 200,
    response: person,
    handle: ({ params }) => onePerson(params.id),
  }),
  PATCH: route({
    access: 'admin-session',
    summary:
      'Grants or revokes the admin role, and disables or enables an account. A granted role applies from the next sign-in, everything else immediately.',
    docs: { codes: ['not_found', 'state_conflict'] },
    params: personParams,
    body: changePersonBody,
    status: 200,
    response: person,
    handle: async ({ caller, params, body, log }) => {
      const changed = await changePerson(caller.userId, params.id, body);
      log.info({ personId: params.id, ...body, userId: caller.userId }, 'account changed');
      return changed;
    },
  }),
});
