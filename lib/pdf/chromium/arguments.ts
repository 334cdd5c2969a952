import puppeteer from 'puppeteer-core';

/** What pages can reach: nothing at all, or servers on this machine. */
export type ChromiumNetwork = 'none' | 'loopback';

// Request interception does not catch prefetches, speculation rules, WebSockets or WebRTC. Therefore, these switches
// also restrict network access.
const always = [
  // Send requests to a proxy that does not exist. Requests to loopback addresses bypass proxies by default.
  '--proxy-server=http://127.0.0.1:9',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];
const networks: Record<ChromiumNetwork, string[]> = {
  none: ['--proxy-bypass-list=<-loopback>', '--host-resolver-rules=MAP * ~NOTFOUND'],
  loopback: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
};

/** Returns the command line of a headless browser that is controlled through a pipe and therefore opens no port. */
export async function chromiumArguments(options: {
  args: string[];
  network: ChromiumNetwork;
  userDataDir: string;
  sandbox: boolean;
}): Promise<string[]> {
  const { args, network, userDataDir, sandbox } = options;
  return puppeteer.defaultArgs({
    headless: 'shell',
    userDataDir,
    args: [
      '--remote-debugging-pipe',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--no-pings',
      '--disable-domain-reliability',
      ...always,
      ...networks[network],
      ...(sandbox ? [] : ['--no-sandbox']),
      ...args,
    ],
  });
}
