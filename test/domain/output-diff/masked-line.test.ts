/** Parts of a line that differ in every run, and parts that do not. */
import { expect, test } from 'bun:test'
import { maskedLine, wordsOfMasked } from '../../../src/domain/output-diff/masked-line.ts'

test.each([
  ['2026-11-13T03:00:02.123Z done', '2026-11-17T04:10:59.9Z done'],
  ['2026-11-13 03:00:02,123 INFO done', '2026-11-17 13:10:59,001 INFO done'],
  ['[13/Nov/2026:03:30:12 +0200] GET /', '[1/Dec/2026:23:00:01 +0100] GET /'],
  ['Fri Nov 13 07:15:00 EET 2026', 'Tue Nov  3 17:01:44 EET 2026'],
  ['Friday, 13 November 2026 at 7:15 PM', 'Tuesday, 1 December 2026 at 11:05 AM'],
  ['host-2026-11-13T03:00:02', 'host-2026-11-17T03:00:03'],
  ['backup-20261113T030002Z.tar', 'backup-20261117T030002Z.tar'],
  ['took 12.31s', 'took 9 s'],
  ['1,893,441 bytes at 252,766.80 bytes/sec', '9,112 bytes at 1,000.00 bytes/sec'],
  ['412 MiB, 48.9 GB, 3K', '7.5 MiB, 50.0 GB, 12K'],
  ['cron[1234]: pid 99', 'cron[7]: pid 12345'],
  ['snapshot 9b17e0c4 saved', 'snapshot 01ac44fe saved'],
  ['id 94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b', 'id 11111111-2222-4333-8444-555555555555'],
  ['writing /tmp/tmp.Xk2f91Lq', 'writing /tmp/tmp.b0WmzT7c'],
  ['[ 11%] built', '[100%] built'],
  ['at 1763000102', 'at 1763345702'],
  ['size:   12 MB', 'size: 112 MB'],
])('%j is the same line as %j', (one, other) => {
  expect(maskedLine(one)).toBe(maskedLine(other))
})

test.each([
  ['exit 0', 'exit 2'],
  ['fetched 3 statements', 'fetched 0 statements'],
  ['status 200', 'status 503'],
  ['connected to db1', 'connected to db2'],
  ['deadbeef is no word with a digit', 'feedface is no word with a digit'],
  ['reading /srv/data', 'reading /srv/date'],
  ['PostgreSQL 16', 'PostgreSQL 17'],
])('%j is another line than %j', (one, other) => {
  expect(maskedLine(one)).not.toBe(maskedLine(other))
})

test('lines in which only counts differ have the same words', () => {
  const words = (line: string) => wordsOfMasked(maskedLine(line))
  expect(words('12 new, 87 changed')).toBe(words('9 new, 104 changed'))
  expect(words('12 new')).not.toBe(words('12 old'))
})

test('a line of any sort is read in time', () => {
  const hostile = ['1.', '1,111', '9 ', 'Nov ', 'a1', '/tmp/', ':12', '12:', '[1', '-0000', 'Mon ']
  const began = performance.now()
  for (const piece of hostile) for (let n = 0; n < 100; n++) maskedLine(piece.repeat(250).slice(0, 500))
  expect(performance.now() - began).toBeLessThan(500)
})
