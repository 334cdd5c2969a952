import { HttpError } from './problem';

/**
 * Returns the `not_found` for fields of a request that name no `record`, such as `document of the project`. For a
 * project that the caller cannot see, throw a plain `not_found` instead, which does not tell whether it exists.
 */
export function missingRecord(paths: string[], record: string): HttpError {
  const errors = paths.map((path) => ({ path, message: `names no ${record}` }));
  return new HttpError('not_found', `There is no such ${record}.`, { errors });
}
