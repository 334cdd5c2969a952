import pino, { type Logger } from 'pino';
import { serverEnv } from '@/lib/env/server';
import { masked } from './mask';

export type Log = Logger;

let root: Log | undefined;

/** The log of this process: one JSON line per event on standard output. Signed URLs and secrets must never be logged. */
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
