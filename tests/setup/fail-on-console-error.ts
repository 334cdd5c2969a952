import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

// A call of `console.error` fails the test, because the output of a passing test goes unread.
const original = console.error;
let errors: string[] = [];

beforeEach(() => {
  errors = [];
  console.error = (...parts: unknown[]) => {
    errors.push(format(...parts));
    original(...parts);
  };
});

afterEach(() => {
  console.error = original;
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`);
});
