import type { z } from 'zod';

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  file: 'a file',
};
const units: Record<string, string> = { string: 'characters', array: 'items' };
const formats: Record<string, string> = {
  guid: 'a UUID',
  uuid: 'a UUID',
  email: 'an email address',
  url: 'a URL',
  datetime: 'a time such as 2026-01-31T12:00:00.000Z',
};

const anyOf = (values: readonly unknown[]) =>
  values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
const bound = (origin: string, phrase: string, limit: unknown) =>
  units[origin] ? `must have ${phrase} ${limit} ${units[origin]}` : `must be ${phrase} ${limit}`;
const isEmptyText = (origin: string, minimum: unknown) => units[origin] !== undefined && minimum === 1;

/**
 * Returns what is wrong with a value, for checks that have no message of their own. The text is phrased to follow the
 * field's name, for example "is missing". Returns undefined to keep Zod's message.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${anyOf(issue.values)}`;
    case 'invalid_format':
      return formats[issue.format] ? `must be ${formats[issue.format]}` : 'does not have the right format';
    case 'too_small':
      if (isEmptyText(issue.origin, issue.minimum)) return 'must not be empty';
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? `must be ${anyOf(issue.options)}`
        : 'does not match any of the allowed forms';
    default:
      return undefined;
  }
}
