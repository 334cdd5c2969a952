import { config } from 'zod/v4/core';

// Before any schema is made: the policy of our pages lets no text become code, and zod would try whether it may.
config({ jitless: true });
