import { config } from 'zod/v4/core';

// Next loads this file before anything else of a page, and so before any schema is created: our policy forbids `eval`,
// which zod would otherwise try.
config({ jitless: true });
