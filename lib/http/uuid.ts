import { z } from 'zod';

/** The id of a record: a UUID of any version, in lowercase like the ids from the database. */
export const uuid = z.guid().toLowerCase();
