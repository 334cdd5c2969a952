import type { AccessToken } from '@/lib/tokens/schema';

/** The roles that a token can have, weakest first, each with its label and a description of its rights. */
export const tokenRoleChoices: { value: AccessToken['role']; label: string; allows: string }[] = [
  { value: 'viewer', label: 'Viewer', allows: 'Only reads.' },
  { value: 'editor', label: 'Editor', allows: 'Generates images, saves documents and exports them.' },
  { value: 'owner', label: 'Owner', allows: 'Also manages members and creates projects.' },
  { value: 'admin', label: 'Administrator', allows: 'Has all rights of an administrator.' },
];

/** How long a token can be valid, as `Select` options. */
export const tokenExpiryChoices = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '1 year' },
];

export function roleLabel(role: AccessToken['role']): string {
  return tokenRoleChoices.find(({ value }) => value === role)?.label ?? role;
}
