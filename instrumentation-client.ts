import { config } from 'zod/v4/core';

// The content security policy forbids `eval`, which zod would otherwise try. Next loads this file before any other
// script of a page, so this runs before any schema is created.
config({ jitless: true });
