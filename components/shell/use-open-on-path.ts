import { usePathname } from 'next/navigation';
import { useState } from 'react';

/**
 * Holds whether a drawer is open. The drawer stays open while a linked page loads, and closes when the path changes. It
 * stays closed when the user returns to the path where it was open.
 */
export function useOpenOnPath(): { opened: boolean; open: () => void; close: () => void } {
  const pathname = usePathname();
  const [openOn, setOpenOn] = useState<string | null>(null);
  if (openOn !== null && openOn !== pathname) setOpenOn(null);
  return {
    opened: openOn === pathname,
    open: () => setOpenOn(pathname),
    close: () => setOpenOn(null),
  };
}
