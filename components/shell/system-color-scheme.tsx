'use client';

import { useEffect } from 'react';

/**
 * Follows changes of the system's color scheme on pages without Mantine, unless the user has chosen the light or dark
 * scheme. On other pages, Mantine does this. Mantine stores the user's choice in `localStorage`.
 */
export function SystemColorScheme() {
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const chosen = localStorage.getItem('mantine-color-scheme-value');
      if (chosen === 'light' || chosen === 'dark') return;
      document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
    };
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, []);
  return null;
}
