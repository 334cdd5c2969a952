import type { Member } from '@/lib/projects/schema';

/** The roles of a project as they are offered and shown. */
export const roleChoices: { value: Member['role']; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'owner', label: 'Owner' },
];
