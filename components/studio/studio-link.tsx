import type { ComponentProps, MouseEvent } from 'react';

type StudioLinkProps = Omit<ComponentProps<'a'>, 'onClick'> & { href: string; onOpen: () => void };

/**
 * Renders a link within the studio. A plain click calls `onOpen`. The browser handles clicks with a modifier key, such
 * as those that open a new tab or window.
 */
export function StudioLink({ href, onOpen, children, ...props }: StudioLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a {...props} href={href} onClick={open}>
      {children}
    </a>
  );
}
