import { expect, test } from 'vitest';
import { isPrivateHost } from '@/lib/http/private-host';

// The URL parser normalizes every notation of an IPv4 address.
const hostOf = (address: string) => new URL(`http://${address}/a.png`).hostname;

const v4 = {
  'this network': ['0', '0.0.0.0', '0.255.255.255'],
  loopback: [
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
  ],
  'private networks': ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1:8080', '0xa.1', '3232235521'],
  'shared addresses of carriers': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254', '0xa9fea9fe'],
  protocols: ['192.0.0.1', '192.0.0.171', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255'],
  benchmarking: ['198.18.0.1', '198.19.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255'],
  reserved: ['240.0.0.1', '255.255.255.255', '4294967295'],
};
const v6 = {
  unspecified: ['::', '0:0:0:0:0:0:0:0'],
  loopback: ['::1', '0:0:0:0:0:0:0:1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:8.8.8.8'],
  'IPv4-compatible': ['::10.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::192.168.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::', '2002:808:808::'],
  Teredo: ['2001::1', '2001:0:ffff:ffff::1'],
  ISATAP: ['fe80::5efe:10.0.0.1'],
  protocols: ['2001:1::1', '2001:3::1', '2001:4:112::1', '2620:4f:8000::1', '2001:1ff:ffff::1'],
  benchmarking: ['2001:2::1', '2001:2:0:ffff::1'],
  ORCHID: ['2001:10::1', '2001:1f:ffff::1', '2001:20::1', '2001:2f:ffff::1'],
  'remote identification': ['2001:30::1'],
  documentation: ['2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff:ffff::1'],
  'segment routing': ['5f00::1'],
  discarded: ['100::1', '100:0:0:1::1'],
  'unique local': ['fc00::1', 'fd00::1', 'fdff:ffff::1'],
  'link-local': ['fe80::1', 'febf::1'],
  'site-local': ['fec0::1', 'feff::1'],
  multicast: ['ff00::1', 'ff02::1', 'ff0e::1'],
  unassigned: ['200::1', '400::1', '1fff::1', '4000::1', '8000::1', 'e000::1', 'fe00::1'],
};
const names = {
  loopback: [
    'localhost',
    'LOCALHOST.',
    'files.localhost',
    'localhost.localdomain',
    'localhost6.localdomain6',
  ],
  'without a dot': ['localhost6', 'ip6-localhost', 'ip6-loopback', 'intranet', 'lan.'],
  'a local domain': ['printer.local', 'printer.local.', 'nas.lan', 'router.home.arpa', 'a.home', 'a.corp'],
  'a metadata service': ['metadata.google.internal', 'instance-data.ec2.internal.'],
};
const rows = (table: Record<string, string[]>, wrap = (host: string) => host) =>
  Object.entries(table).flatMap(([kind, hosts]) => hosts.map((host) => [wrap(host), kind] as const));

test.each([...rows(v4), ...rows(v6, (host) => `[${host}]`), ...rows(names)])(
  'the host %s is private (%s)',
  (address) => {
    expect(isPrivateHost(hostOf(address))).toBe(true);
  },
);

test.each([
  'cdn.polyhaven.com',
  'example.com',
  'example.com.',
  'localhost.example.com',
  'local.example',
  'internal-affairs.example',
  '10.example.com',
  'xn--bcher-kva.example',
  '1.1.1.1',
  '8.8.8.8',
  '0x8080808',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '192.0.3.1',
  '192.169.0.1',
  '198.17.0.1',
  '198.20.0.1',
  '198.51.101.1',
  '203.0.112.1',
  '223.255.255.255',
  '[2001:200::1]',
  '[2001:4860:4860::8888]',
  '[2001:db7::1]',
  '[2001:db9::1]',
  '[2003::1]',
  '[2400:cb00:2048::1]',
  '[2606:4700::1111]',
  '[2620:fe::fe]',
  '[2a00:1450:4001:81b::200e]',
  '[2c0f:fb50:4002::1]',
  '[3fff:1000::1]',
])('the host %s is public', (address) => {
  expect(isPrivateHost(hostOf(address))).toBe(false);
});
