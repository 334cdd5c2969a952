import pino, { type Logger } from 'pino';
import { serverEnv } from '@/lib/env/server';
import { masked } from './mask';

export type Log = Logger;

let root: Log | undefined;

/**
 * Returns the log of this process, which writes one JSON line per event to standard output. Signed URLs and secrets
 * must never be logged.
 */
export function logger(): Log {
  root ??= pino({
    level: serverEnv().LOG_LEVEL,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: masked },
    serializers: { error: pino.stdSerializers.errWithCause },
  });
  return root;
}
