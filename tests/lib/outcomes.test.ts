import pino from 'pino';
import { expect, test } from 'vitest';
import { accepted } from '@/lib/supabase/call-rpc';
import { respondToCallback } from '@/lib/workflow/respond-to-callback';

test('an outcome that is named after an error throws that error, and any other is returned', () => {
  expect(() => accepted({ outcome: 'not_found' })).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(() => accepted({ outcome: 'idempotency_mismatch' })).toThrow(
    expect.objectContaining({ code: 'idempotency_mismatch', status: 409 }),
  );
  // An outcome named like a method that every object inherits, such as `toString`, is not an error code.
  for (const outcome of ['created', 'conflict', 'toString']) {
    expect(accepted({ outcome, id: 1 })).toEqual({ outcome, id: 1 });
  }
});

const log = pino({ level: 'silent' });
const callback = { subjectId: 'a', run: 1, status: 'completed' };

test('the response to an applied callback has its notes, and the response to any other callback has the reason', () => {
  const applied = { outcome: 'applied', status: 'completed' } as const;
  expect(respondToCallback(callback, applied, log)).toEqual({
    received: true,
    applied: true,
    status: 'completed',
  });
  expect(respondToCallback(callback, applied, log, ['one'])).toMatchObject({ notes: ['one'] });
  expect(respondToCallback(callback, { outcome: 'late', status: 'failed' }, log, ['one'])).toEqual({
    received: true,
    applied: false,
    status: 'failed',
    reason: 'late',
  });
});

test('a callback for an unknown id throws not_found', () => {
  const found = { outcome: 'not_found', request_id: 'request' } as const;
  expect(() => respondToCallback(callback, found, log)).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});
