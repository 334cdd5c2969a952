import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Throws if there is no browser to print with. Looks for `executable` if it is given, and otherwise for the packaged
 * Chromium.
 */
export async function requireChromium(executable: string | undefined): Promise<void> {
  if (executable) return access(executable, constants.X_OK);
  const entry = createRequire(join(process.cwd(), 'package.json')).resolve('@sparticuz/chromium');
  await access(join(dirname(entry), '..', 'bin', 'chromium.br'), constants.R_OK);
}
