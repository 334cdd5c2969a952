import { chown, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Log } from '@/lib/log/logger';
import { printFonts } from '../fonts/print-fonts';
import { type ChromiumNetwork, chromiumArguments } from './arguments';
import { browserUser } from './browser-user';
import { BrowserStartError, type LaunchedChromium, startProcess } from './start-process';
import { unpackChromium } from './unpack';

export type LaunchOptions = {
  /** Path to a Chromium whose shared libraries are installed (`CHROMIUM_PATH`). Defaults to the unpacked Chromium. */
  executable?: string;
  /** Atelier's data folder, which holds the unpacked Chromium and the fonts if the browser's user can enter it. */
  dataDir: string;
  /** Additional command line switches. */
  args?: string[];
  network: ChromiumNetwork;
  /**
   * Folder of the profile. `launchChromium` creates it if it is missing, but never removes it. If the browser runs as
   * `nobody`, `launchChromium` makes that user the owner of the folder.
   */
  userDataDir: string;
  log: Pick<Log, 'warn'>;
};

/**
 * Starts headless Chromium in its sandbox, or unsandboxed with a warning if the machine does not support the sandbox.
 * When Atelier runs as root, Chromium runs as `nobody`; if switching users fails, it runs as root and unsandboxed.
 * Chromium inherits no environment variables, and exits when Atelier exits. Throws `BrowserStartError`, with the end of
 * the browser's stderr, if the browser does not start within 15 seconds.
 */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  const { dataDir, args = [], network, log } = options;
  const user = browserUser();
  const [unpacked, fonts] = await Promise.all([
    options.executable ? undefined : unpackChromium(resolve(dataDir), user),
    printFonts(dataDir, user),
  ]);
  const executable = options.executable ?? unpacked?.executable ?? '';
  const userDataDir = resolve(options.userDataDir);
  await mkdir(userDataDir, { recursive: true, mode: 0o700 });
  if (user) await chown(userDataDir, user.uid, user.gid);

  const env: Record<string, string> = {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: userDataDir,
    // Systems without fontconfig ignore these two variables and use their own fonts.
    FONTCONFIG_PATH: fonts,
    FONTCONFIG_FILE: join(fonts, 'fonts.conf'),
    ...(unpacked && { LD_LIBRARY_PATH: unpacked.libraries }),
  };
  const start = async (sandbox: boolean) => {
    const allArgs = await chromiumArguments({ args, network, userDataDir, sandbox });
    return startProcess({ executable, args: allArgs, env, cwd: userDataDir, user, sandbox });
  };

  if (process.getuid?.() === 0 && !user) {
    log.warn(
      'Chromium runs as root and without its sandbox: this machine does not let root switch to another user.',
    );
    return start(false);
  }
  try {
    return await start(true);
  } catch (error) {
    // Retry without the sandbox only if the sandbox caused the failure.
    if (!(error instanceof BrowserStartError) || !/sandbox|namespace/i.test(error.stderrEnd)) throw error;
    log.warn(
      { stderr: error.stderrEnd },
      'Chromium runs without its sandbox: this machine does not allow unprivileged user namespaces.',
    );
    return start(false);
  }
}
