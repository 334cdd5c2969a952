/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of a system or database error, or '' if it has none. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Returns whether an error of Node, Postgres, storage or another program, or its cause, says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (['ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error))) return true;
  if (/no space left on device/i.test(messageOf(error))) return true;
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause);
}
