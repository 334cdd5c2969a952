// Not in `schema.ts`, because most pages load the upload code, which must not load the schemas.

/** Maximum size of a spec PDF in bytes (50 MiB). */
export const MAX_SPEC_BYTES = 50 * 1024 * 1024;
