import { z } from 'zod';

/** The id of a record: a UUID of any version, in lower case as the database writes it. */
export const uuid = z.guid().toLowerCase();
