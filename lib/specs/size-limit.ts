// Not in `schema.ts`, because every page loads the code of uploads, but not the schemas.

/** The largest spec PDF in bytes (50 MB, binary). */
export const MAX_SPEC_BYTES = 50 * 1024 * 1024;
