import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { isSignUpOpen, OPEN_SIGN_UP } from '@/lib/auth/sign-up';
import { serverEnv } from '@/lib/env/server';
import { browserUser } from '@/lib/pdf/chromium/browser-user';
import { requireChromium } from '@/lib/pdf/chromium/find';
import { spaceToUnpack } from '@/lib/pdf/chromium/unpack';
import { queueDepth } from '@/lib/queue/depth';
import { requireDiskSpace } from '@/lib/storage/disk';
import { requireStorage } from '@/lib/storage/objects';

const LIMIT_MS = 2_000;
const CACHE_MS = 1_000;
/** Minimum free disk space in bytes, enough for a spec PDF of the maximum size, or for an export and its fonts. */
const MIN_DISK_BYTES = 64 * 1024 * 1024;

type Check = 'ok' | 'failed';
export type Readiness = {
  ready: boolean;
  checks: { database: Check; storage: Check; browser: Check; disk: Check };
  /** Null while the database is unavailable. */
  queue: { pending: number; oldestDueSeconds: number } | null;
  /** Problems that an operator should fix, even though the service works. */
  warnings: string[];
};

async function soon<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, LIMIT_MS, null);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    // Only the fact that the check failed matters here. The code that uses the dependency logs the error.
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const isDone = () => true;

async function requireSpace(dataDir: string, executable: string | undefined): Promise<void> {
  for (const folder of [tmpdir(), dataDir]) await requireDiskSpace(folder, MIN_DISK_BYTES);
  if (executable) return;
  const { folder, bytes } = await spaceToUnpack(resolve(dataDir), browserUser());
  await requireDiskSpace(folder, MIN_DISK_BYTES + bytes);
}

async function checkEverything(): Promise<Readiness> {
  const env = serverEnv();
  const [depth, storage, browser, disk, warnings] = await Promise.all([
    soon(queueDepth()),
    soon(requireStorage().then(isDone)),
    soon(requireChromium(env.CHROMIUM_PATH).then(isDone)),
    soon(requireSpace(env.ATELIER_DATA_DIR, env.CHROMIUM_PATH).then(isDone)),
    soon(operatorWarnings()),
  ]);
  const word = (result: unknown): Check => (result === null ? 'failed' : 'ok');
  return {
    ready: [depth, storage, browser, disk].every((result) => result !== null),
    checks: { database: word(depth), storage: word(storage), browser: word(browser), disk: word(disk) },
    queue: depth && {
      pending: depth.reduce((sum, { pending }) => sum + pending, 0),
      oldestDueSeconds: Math.round(Math.max(0, ...depth.map(({ oldestDueS }) => oldestDueS))),
    },
    warnings: warnings ?? [],
  };
}

let last: { at: number; readiness: Promise<Readiness> } | undefined;

/** Returns problems that an operator should fix, even though the service works. Never throws. */
export async function operatorWarnings(): Promise<string[]> {
  const env = serverEnv();
  const isOpen = await isSignUpOpen(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY);
  return isOpen ? [OPEN_SIGN_UP] : [];
}

/** Returns whether this process can do its work now. Checks at most once per second. Never throws. */
export function readiness(): Promise<Readiness> {
  if (!last || Date.now() - last.at > CACHE_MS) last = { at: Date.now(), readiness: checkEverything() };
  return last.readiness;
}
