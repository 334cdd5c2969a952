import ipaddr from 'ipaddr.js';

// ipaddr.js calls every IPv6 address without a known purpose unicast, also outside the only range in use.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is anything but globally routable unicast. That includes all IPv6 addresses that contain an
 * IPv4 address, such as mapped ones, 6to4 and NAT64, because they lead to wherever a translator in this network sends
 * them.
 */
export function isPrivateAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return true;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast);
}

const localNames =
  /(^|\.)((ip6-)?(localhost6?|loopback)|local|internal|intranet|lan|home|corp|home\.arpa|localdomain6?)$/;

/**
 * Returns whether a host is this machine or in a private network: such an address, or a name that is or ends in
 * a local one, such as `localhost` or `internal`. Takes the `hostname` of a parsed URL, which is
 * already normalized (`2130706433`, `0x7f.1` and `127.1` are all `127.0.0.1` there). Does not resolve names.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(address)) return isPrivateAddress(address);
  return localNames.test(host);
}
