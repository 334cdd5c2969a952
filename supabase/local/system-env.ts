const systemNames =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TERM|TMPDIR|XDG_\w+|NO_COLOR|FORCE_COLOR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;

/** What every process needs from its surroundings, and none of our settings. */
export function systemEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && systemNames.test(name) ? [[name, value]] : [],
    ),
  );
}
