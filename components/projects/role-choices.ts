import type { Member } from '@/lib/projects/schema';

/** The project roles with their labels, as `Select` options. */
export const roleChoices: { value: Member['role']; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'owner', label: 'Owner' },
];
