import { z } from 'zod';

/** The id of a record: any well-formed UUID, whatever its version and variant, in lower case as the database writes it. */
export const uuid = z.guid().toLowerCase();
