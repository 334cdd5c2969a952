import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { logError } from '@/lib/log/log-error';

function linesOf(error: unknown) {
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _, done) => {
      lines.push(String(line));
      done();
    },
  });
  logError(pino({ serializers: { error: pino.stdSerializers.errWithCause } }, stream), error, 'failed');
  return lines.map((line) => JSON.parse(line));
}

test('logError logs an unavailable service as a warning with its causes', () => {
  const cause = new Error('fetch failed', { cause: { message: 'connect ECONNREFUSED' } });
  for (const code of ['unavailable'] as const) {
    const [line] = linesOf(new HttpError(code, 'It is away.', { cause }));
    expect(line).toMatchObject({ level: 40, code, reason: 'It is away: fetch failed: connect ECONNREFUSED' });
    expect(JSON.stringify(line)).not.toContain('log-error.test');
  }
});

test('logError logs an internal error with its stack', () => {
  const cause = new TypeError('x is undefined');
  for (const error of [cause, new HttpError('internal', undefined, { cause })]) {
    const [line] = linesOf(error);
    expect(line).toMatchObject({ level: 50, msg: 'failed' });
    expect(JSON.stringify(line)).toContain('log-error.test');
    expect(JSON.stringify(line)).toContain('x is undefined');
  }
});
