import type { NavTarget } from './nav-links';

const everyone = [
  { href: '/projects', label: 'Projects' },
  { href: '/materials', label: 'Materials' },
];
const admin = [
  { href: '/admin/specs', label: 'Specs' },
  { href: '/admin/catalogue', label: 'Brands and areas' },
  { href: '/admin/workflow', label: 'Workflow' },
  { href: '/admin/people', label: 'People' },
];

/** Returns the main navigation of a signed-in user. */
export function mainNav({ isAdmin }: { isAdmin: boolean }): NavTarget[] {
  return isAdmin ? [...everyone, ...admin] : everyone;
}
