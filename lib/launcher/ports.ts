import { createServer } from 'node:net';
import { StartError } from '../errors/start-error.ts';

export type PortUse = { port: number; name: string; setting: 'PORT' | 'SUPABASE_LOCAL_PORT' };

function portProblem(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Throws a StartError if a port can't be used. The message names the first such port and the setting that changes it.
 */
export async function requireFreePorts(uses: PortUse[], host: string): Promise<void> {
  for (const { port, name, setting } of uses) {
    const problem = await portProblem(port, host);
    if (!problem) continue;
    const reason = problem === 'EADDRINUSE' ? 'is already in use' : `can't be used (${problem})`;
    const others = setting === 'SUPABASE_LOCAL_PORT' ? ' (and the next three ports)' : '';
    throw new StartError(
      `Port ${port} for ${name} ${reason}. Stop the process that uses it, or set ${setting} to another port${others}.`,
    );
  }
}

/**
 * Parses a port setting, or returns `fallback` if it is empty. Throws a StartError unless the setting is a port number
 * that leaves room for `span` consecutive ports.
 */
export function parsePort(name: string, value: string | undefined, fallback: number, span = 1): number {
  if (!value) return fallback;
  const port = Number(value);
  const highest = 65_536 - span;
  if (/^\d{1,5}$/.test(value) && port >= 1 && port <= highest) return port;
  throw new StartError(`${name} must be a port number from 1 to ${highest}, but it is "${value}".`);
}
