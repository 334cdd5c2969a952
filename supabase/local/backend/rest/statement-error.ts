import type { Claims } from '@/supabase/local/backend/caller';

export type StatementError = { code: string; message: string; detail: string | null; hint: string | null };

/** Finds the Postgres error among `error` and its causes. Returns its fields, or undefined if there is none. */
export function statementError(error: unknown): StatementError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, detail, hint } = error as Error & { code?: unknown; detail?: unknown; hint?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return statementError(error.cause);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { code, message: error.message, detail: text(detail), hint: text(hint) };
}

const STATUS_BY_CODE: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
};

const STATUS_BY_CLASS: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** Returns the HTTP status that PostgREST uses for a SQLSTATE. For `PTxyz`, raised by a function, the status is xyz. */
export function statusOfStatementError(code: string, role: Claims['role']): number {
  const chosen = /^PT([1-5]\d\d)$/.exec(code)?.[1];
  if (chosen) return Number(chosen);
  if (code === '42501') return role === 'anon' ? 401 : 403;
  return STATUS_BY_CODE[code] ?? STATUS_BY_CLASS[code.slice(0, 2)] ?? 400;
}
