import { afterEach, expect, test, vi } from 'vitest';
import { isOnlyOwner, memberWithEmail } from '@/components/projects/member-rules';
import { addMember } from '@/components/projects/project-calls';
import { canEditProject, canShareProject, lacksEditAccess } from '@/components/projects/project-rights';
import type { Member } from '@/lib/projects/schema';

const memberOf = (name: string, role: Member['role']): Member => ({
  userId: name,
  email: `${name}@atelier.test`,
  role,
  createdAt: '2026-01-01T00:00:00.000Z',
});

afterEach(() => vi.unstubAllGlobals());

const ada = memberOf('Ada', 'owner');
const bo = memberOf('Bo', 'editor');

test('the only owner cannot leave until there is another owner', () => {
  expect(isOnlyOwner(ada, [ada, bo])).toBe(true);
  expect(isOnlyOwner(bo, [ada, bo])).toBe(false);
  expect(isOnlyOwner(ada, [ada, { ...bo, role: 'owner' }])).toBe(false);
});

test('a member is recognized by email address, regardless of case', () => {
  expect(memberWithEmail('ADA@atelier.test', [bo, ada])).toBe(ada);
  expect(memberWithEmail('ada@atelier.example', [bo, ada])).toBeUndefined();
});

test('a user is added only after the current members were read, and the role of a member stays as it is', async () => {
  let status = 503;
  const requests: string[] = [];
  const userId = 'a0000000-0000-4000-8000-000000000001';
  const members = [{ ...bo, userId }];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    requests.push(`${method} ${path}`);
    if (method === 'GET') return Response.json(status === 200 ? { members } : {}, { status });
    return Response.json({ ...ada, userId }, { status: 201 });
  });
  await expect(addMember('p', 'Bo@atelier.test', 'viewer')).rejects.toThrow();
  status = 200;
  expect(await addMember('p', 'BO@atelier.test', 'viewer')).toMatchObject({ email: 'Bo@atelier.test' });
  expect(requests).toEqual(Array.from({ length: 2 }, () => 'GET /api/projects/p/members'));
  expect(await addMember('p', 'ada@atelier.test', 'owner')).toBeUndefined();
  expect(requests.slice(2)).toEqual(['GET /api/projects/p/members', 'POST /api/projects/p/members']);
});

test.each([
  ['owner', true, true, false],
  ['editor', true, true, false],
  ['viewer', false, false, true],
] as const)(
  'while a project is archived, the role %s keeps its right to share but not its right to edit',
  (role, edits, shares, lacks) => {
    const active = { role, archivedAt: null };
    expect(canEditProject(active)).toBe(edits);
    expect(canShareProject(active)).toBe(shares);
    expect(lacksEditAccess(active)).toBe(lacks);
    const archived = { role, archivedAt: '2026-01-01T00:00:00Z' };
    expect(canEditProject(archived)).toBe(false);
    expect(canShareProject(archived)).toBe(shares);
    expect(lacksEditAccess(archived)).toBe(false);
  },
);
