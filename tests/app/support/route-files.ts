import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RouteHandler } from '@/lib/http/route';
import type { Method } from '@/tests/app/support/access-table';

/** The folders of all route files below `app/api`, relative to it. */
export const routes = globSync('app/api/**/route.ts')
  .map((file) => file.replace(/^app\/api\/|\/route\.ts$/g, ''))
  .sort();

export function loadRoute(route: string): Promise<Partial<Record<Method, RouteHandler>>> {
  return import(/* @vite-ignore */ resolve(`app/api/${route}/route.ts`));
}
