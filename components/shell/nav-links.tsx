'use client';

import { usePathname } from 'next/navigation';
import { Link } from './link';
import classes from './nav-links.module.css';

export type NavTarget = { href: string; label: string };

type NavLinksProps = {
  targets: NavTarget[];
  /** Called when the link to the current page is clicked. */
  onStay?: () => void;
};

/** Shows the links of the main navigation, with the current one marked. */
export function NavLinks({ targets, onStay }: NavLinksProps) {
  const pathname = usePathname();
  return targets.map(({ href, label }) => {
    const within = pathname === href || pathname.startsWith(`${href}/`);
    return (
      <Link
        key={href}
        href={href}
        className={classes.link}
        aria-current={pathname === href ? 'page' : within ? 'true' : undefined}
        onClick={pathname === href ? onStay : undefined}
      >
        {label}
      </Link>
    );
  });
}
