import { format } from 'node:util';
import { logger } from '@/lib/log/logger';

/** Redirects the console output of libraries to the log, so that each message becomes one line of JSON. */
export function logConsole(): void {
  const as =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]) =>
      logger()[level]({ printed: format(...values).slice(0, 4_000) }, 'printed by a library');
  Object.assign(globalThis.console, {
    log: as('info'),
    info: as('info'),
    warn: as('warn'),
    error: as('error'),
  });
}
