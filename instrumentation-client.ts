import { config } from 'zod/v4/core';

// This setting keeps zod from trying `eval`, which the content security policy forbids in production. Next runs this
// file before the page's code, so the setting applies before any schema is created.
config({ jitless: true });
