import { expect, test } from 'bun:test'
import { reachOf } from '../../../src/lib/network/reach.ts'

test.each([
  ['localhost', 'machine'],
  ['LOCALHOST.', 'machine'],
  ['overdue.localhost', 'machine'],
  ['127.0.0.1', 'machine'],
  ['127.8.8.8', 'machine'],
  ['[::1]', 'machine'],
  ['0.0.0.0', 'machine'],
  ['[::]', 'machine'],
  ['[::ffff:7f00:1]', 'machine'],
  ['10.0.0.5', 'network'],
  ['192.168.4.20', 'network'],
  ['172.16.0.1', 'network'],
  ['169.254.1.1', 'network'],
  ['100.64.0.9', 'network'],
  ['[fd00::1]', 'network'],
  ['[fe80::1]', 'network'],
  ['overdue', 'network'],
  ['nas.local', 'network'],
  ['overdue.internal', 'network'],
  ['box.home.arpa', 'network'],
  ['overdue.example.org', 'anybody'],
  ['localhost.example.org', 'anybody'],
  ['local.example.org', 'anybody'],
  ['8.8.8.8', 'anybody'],
  ['[2606:4700::1111]', 'anybody'],
  ['172.32.0.1', 'anybody'],
] as const)('%s can be used by: %s', (hostname, reach) => {
  expect(reachOf(hostname)).toBe(reach)
})
