'use client';

import { useEffect } from 'react';

/**
 * Applies changes of the system's color scheme while a page without Mantine is open, unless the user has chosen the
 * light or dark scheme. On other pages, Mantine does this; it stores the user's choice under the key read here.
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
