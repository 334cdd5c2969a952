import pino, { type Logger } from 'pino';
import { serverEnv } from '@/lib/env/server';
import { masked } from './mask';

export type Log = Logger;

let root: Log | undefined;

/** The log of this process: one JSON line an event on standard output. Signed addresses and secrets never go in. */
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
