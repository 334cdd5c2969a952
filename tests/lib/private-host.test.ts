import { expect, test } from 'vitest';
import { isPrivateHost } from '@/lib/http/private-host';

// The URL parser normalizes every notation of an IPv4 address.
const hostOf = (address: string) => new URL(`http://${address}/a.png`).hostname;

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1:8080',
  '198.18.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::10.0.0.1]',
  '[64:ff9b::192.168.0.1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  'localhost',
  'LOCALHOST.',
  'files.localhost',
  'printer.local',
  'metadata.google.internal',
  'nas.lan',
  'router.home.arpa',
])('the host %s is private', (address) => {
  expect(isPrivateHost(hostOf(address))).toBe(true);
});

test.each([
  'cdn.polyhaven.com',
  'example.com',
  'localhost.example.com',
  'local.example',
  'internal-affairs.example',
  '10.example.com',
  '8.8.8.8',
  '100.128.0.1',
  '172.32.0.1',
  '172.15.0.1',
  '192.169.0.1',
  '[2606:4700::1111]',
  '[::ffff:8.8.8.8]',
  '[2002:808:808::]',
  '[64:ff9b::8.8.8.8]',
])('the host %s is public', (address) => {
  expect(isPrivateHost(hostOf(address))).toBe(false);
});
