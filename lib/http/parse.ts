import { z } from 'zod';
import { type FieldError, HttpError } from '@/lib/errors/problem';
import { issueMessage } from './issue-message';
import { readFields } from './read-fields';

/** The maximum number of invalid fields that an error lists. */
const MAX_LISTED = 20;

/** Describes where in `value` an error is. The description is shown instead of the path; '' means to show the path. */
export type DescribePath = (value: unknown, path: PropertyKey[]) => string;

/**
 * Validates part of a request and returns Zod's result. An optional field given as `null` or `''` counts as absent. A
 * field or parameter whose name differs from a known one only in case, underscores, hyphens or brackets is an error,
 * because ignoring it would do something else than what was meant. Other unknown ones are ignored.
 */
export function checkInput<Schema extends z.ZodType>(schema: Schema, given: unknown) {
  const { value, misnamed } = readFields(schema, given);
  const result = schema.safeParse(value, { error: issueMessage });
  if (misnamed.length === 0) return result;
  const issues = misnamed.map(({ path, meant }): z.core.$ZodIssue => {
    return { code: 'custom', path, message: `is not known (did you mean ${meant}?)`, input: value };
  });
  const error = new z.ZodError([...issues, ...(result.error?.issues ?? [])]);
  return { success: false as const, data: undefined, error };
}

/** Parses part of a request. Throws `invalid_request`, which lists at most 20 invalid fields. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  describePath?: DescribePath,
): z.output<Schema> {
  const result = checkInput(schema, value);
  if (result.success) return result.data;
  throw invalidRequest(result.error, value, describePath);
}

function invalidRequest(error: z.ZodError, value: unknown, describePath?: DescribePath): HttpError {
  const found = error.issues.slice(0, MAX_LISTED).map((issue) => {
    const path = issue.path.map(String).join('.');
    return { path, message: issue.message, position: describePath?.(value, issue.path) || path };
  });
  const errors: FieldError[] = found.map(({ path, message, position }) => ({
    path,
    message: position === path ? message : `${position}: ${message}`,
  }));
  const { path = '', position = '', message = 'is not valid' } = found[0] ?? {};
  const detail = position === path ? `${path || 'The body'} ${message}.` : `${position}: ${message}.`;
  return new HttpError('invalid_request', detail.replace(/\.\.$/, '.'), { errors });
}

/**
 * Returns the query parameters as an object. Throws `invalid_request` for a repeated parameter, whose meaning would be
 * unclear, and for one with a NUL or an unpaired surrogate.
 */
export function singleParams(query: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (name in values) {
      throw new HttpError('invalid_request', `The parameter ${name} is given more than once.`, {
        errors: [{ path: name, message: 'is given more than once' }],
      });
    }
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new HttpError('invalid_request', `The parameter ${name} contains a NUL or a broken character.`, {
        errors: [{ path: name, message: 'contains a NUL or a broken character' }],
      });
    }
    values[name] = value;
  }
  return values;
}
