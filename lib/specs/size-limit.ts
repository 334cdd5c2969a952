// This limit is not in `schema.ts`, because the upload code needs it and must not load the schemas. Most pages load
// that code.

/** Maximum size of a spec PDF in bytes (50 MiB). */
export const MAX_SPEC_BYTES = 50 * 1024 * 1024;
