import type { Member } from '@/lib/projects/schema';

/**
 * Returns whether the member is the project's only owner. The only owner can neither leave the project nor get another
 * role.
 */
export function isOnlyOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.every((one) => one === member || one.role !== 'owner');
}

/** Returns the member with this email address, ignoring case, or undefined if there is none. */
export function memberWithEmail(email: string, members: readonly Member[]): Member | undefined {
  return members.find((one) => one.email.toLowerCase() === email.toLowerCase());
}
