'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import classes from './nav-links.module.css';

export type NavTarget = { href: string; label: string };

/** The links of the main navigation, with the current one marked. */
export function NavLinks({ targets, onFollow }: { targets: NavTarget[]; onFollow?: () => void }) {
  const pathname = usePathname();
  return targets.map(({ href, label }) => {
    const within = pathname === href || pathname.startsWith(`${href}/`);
    return (
      <Link
        key={href}
        href={href}
        className={classes.link}
        aria-current={pathname === href ? 'page' : within ? 'true' : undefined}
        onClick={onFollow}
      >
        {label}
      </Link>
    );
  });
}
