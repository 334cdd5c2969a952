import { BlockList } from 'node:net';

/** Special-purpose networks, mostly from RFC 6890, which are not reachable from the internet. */
const reserved = new BlockList();
const networks: [address: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
for (const [address, bits] of networks) {
  reserved.addSubnet(address, bits, 'ipv4');
  // Also add the IPv6 forms that embed these IPv4 addresses: mapped and compatible addresses, NAT64 and 6to4.
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  for (const prefix of ['::ffff:', '::', '64:ff9b::']) {
    reserved.addSubnet(`${prefix}${hex}`, 96 + bits, 'ipv6');
  }
  reserved.addSubnet(`2002:${hex}::`, 16 + bits, 'ipv6');
}
reserved.addSubnet('fc00::', 7, 'ipv6');
reserved.addSubnet('fe80::', 10, 'ipv6');
reserved.addSubnet('fec0::', 10, 'ipv6');
reserved.addSubnet('ff00::', 8, 'ipv6');

const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain)$/;

/**
 * Returns whether a host is this machine or in a private network: a loopback, private, link-local or reserved address,
 * or a name that ends in a local domain, such as `localhost` or `internal`. Takes the `hostname` of a parsed URL, which
 * is already normalized (`2130706433`, `0x7f.1` and `127.1` are all `127.0.0.1` there). Does not resolve names.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  if (host.startsWith('[')) return reserved.check(host.slice(1, -1), 'ipv6');
  if (/^\d+(\.\d+){3}$/.test(host)) return reserved.check(host, 'ipv4');
  return localNames.test(host);
}
