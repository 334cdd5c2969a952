import { methods, route } from '@/lib/http/route';
import { changePassword } from '@/lib/people/change-password';
import { changePasswordBody } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'session',
    summary: 'Changes your own password and signs out all your sessions.',
    docs: { codes: ['wrong_password'] },
    body: changePasswordBody,
    status: 204,
    handle: async ({ caller, body, log }) => {
      await changePassword(caller, body.currentPassword, body.newPassword);
      log.info({ userId: caller.userId }, 'password changed');
    },
  }),
});
