import { expect, test } from 'vitest';
import { checkInput } from '@/lib/http/parse';
import { inviteBody } from '@/lib/people/schema';

const isAccepted = (email: string) => checkInput(inviteBody, { email }).success;

test('an email address that is too long for the sign-in service or belongs to a service account cannot be invited', () => {
  const ofLength = (length: number) => `ines@${`${'a'.repeat(49)}.`.repeat(4)}`.padEnd(length, 'a');
  expect([isAccepted(ofLength(254)), isAccepted(ofLength(255))]).toEqual([true, false]);
  expect(isAccepted('ines@studio.example')).toBe(true);
  expect(isAccepted('service-ines@Service.invalid')).toBe(false);
});
