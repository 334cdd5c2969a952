import { expect, test } from 'vitest';
import { isOnlyOwner, memberWithEmail } from '@/components/projects/member-rules';
import { canEditProject, canShareProject, lacksEditAccess } from '@/components/projects/project-rights';
import type { Member } from '@/lib/projects/schema';

const memberOf = (name: string, role: Member['role']): Member => ({
  userId: name,
  email: `${name}@atelier.test`,
  role,
  createdAt: '2026-01-01T00:00:00.000Z',
});
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
