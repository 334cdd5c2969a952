const systemNames =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TERM|TMPDIR|XDG_\w+|NO_COLOR|FORCE_COLOR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;

/** Returns the environment variables that every process needs, such as PATH and TMPDIR, without Atelier's settings. */
export function systemEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && systemNames.test(name) ? [[name, value]] : [],
    ),
  );
}
