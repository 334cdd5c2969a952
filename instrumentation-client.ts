import { config } from 'zod/v4/core';

// In production, the content security policy forbids `eval`, which zod would otherwise try. Next runs this file before
// the page's code, so before any schema is created.
config({ jitless: true });
