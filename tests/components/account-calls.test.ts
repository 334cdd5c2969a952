import { afterEach, expect, test, vi } from 'vitest';
import { consumeLink } from '@/components/account/account-calls';
import { parseInput } from '@/lib/http/parse';
import { linkPasswordBody } from '@/lib/people/schema';

afterEach(() => vi.unstubAllGlobals());

test('a name of only spaces is sent with a new password as no name', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    bodies.push(parseInput(linkPasswordBody, JSON.parse(body)));
    return Response.json({ email: 'ada@atelier.test' });
  });
  const link = { token: 'a'.repeat(43), password: 'atelier-demo' };
  for (const name of ['', '  ', ' Ada ']) await consumeLink({ ...link, name });
  expect(bodies).toEqual([link, link, { ...link, name: 'Ada' }]);
});
