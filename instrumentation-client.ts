import { config } from 'zod/v4/core';

// Next loads a file of this name at the root before anything else of a page, and so before any schema is made: the
// policy of our pages lets no text become code, and zod would try whether it may.
config({ jitless: true });
