import { methods, route } from '@/lib/http/route';
import { setName } from '@/lib/people/profile';
import { ownAccount } from '@/lib/people/queries';
import { account, accountBody } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns your own account.',
    status: 200,
    response: account,
    handle: ({ caller }) => ownAccount(caller),
  }),
  PUT: route({
    access: 'session',
    summary: 'Sets your own name. Without a name, removes it.',
    body: accountBody,
    status: 200,
    response: account,
    handle: async ({ caller, body }) => {
      await setName(caller.userId, body.name);
      return ownAccount(caller);
    },
  }),
});
