'use client';

import { createContext, useContext } from 'react';
import type { PublicConfig } from '@/lib/env/public';

export const PublicConfigContext = createContext<PublicConfig | null>(null);

/**
 * Returns the settings that the server passes to the browser at run time. Throws outside the root layout's providers.
 */
export function usePublicConfig(): PublicConfig {
  const config = useContext(PublicConfigContext);
  if (!config) throw new Error('usePublicConfig needs the PublicConfigContext of the root layout.');
  return config;
}
