import { config } from 'zod/v4/core';

// The content security policy forbids `eval`, which zod would otherwise try. Next runs this file before the code of the
// page, so before any schema is created.
config({ jitless: true });
