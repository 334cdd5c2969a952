import type { NavTarget } from './nav-links';

const projects = { href: '/projects', label: 'Projects' };
const admin = [
  { href: '/admin/specs', label: 'Specs' },
  { href: '/admin/catalogue', label: 'Brands and areas' },
];

/** The main navigation of whoever is signed in. */
export function mainNav({ isAdmin }: { isAdmin: boolean }): NavTarget[] {
  return isAdmin ? [projects, ...admin] : [projects];
}
