/** The lines of a log in words. */
import { expect, test } from 'bun:test'
import { absentWords, flipWords, ignoredWords, latePingWords } from '../../../src/domain/log/line-words.ts'
import { NOON } from '../../support/store-builders.ts'

const HOUR = 3_600_000_000
const flip = { checkId: 'c', n: 2, createdAt: NOON } as const

test.each([
  ['up', 'down', 'timeout', HOUR, 'Went down: no ping within the grace time'],
  ['up', 'down', 'fail', HOUR, 'Went down: the job reported a failure'],
  ['new', 'up', '', null, 'Went up: monitoring started'],
  ['down', 'up', '', HOUR, 'Went up: after 1 h'],
  ['paused', 'up', '', HOUR, 'Went up: after a pause of 1 h'],
  ['down', 'up', '', null, 'Went up: '],
  ['up', 'paused', '', HOUR, 'Paused: until it is resumed or pinged'],
  ['paused', 'new', '', HOUR, 'Resumed: after 1 h'],
] as const)('a flip from %s to %s (%s)', (oldStatus, newStatus, reason, since, words) => {
  const said = flipWords({ ...flip, oldStatus, newStatus, reason }, since)
  expect(`${said.what}: ${said.words}`).toBe(words)
})

test.each([
  [{ kind: 'missing', at: NOON }, 'Missing: expected here, no ping arrived'],
  [{ kind: 'late', at: NOON, delay: HOUR }, 'Late: expected here, arrived after 1 h'],
  [{ kind: 'more', at: NOON, count: 1_200, isAtLeast: false }, 'and 1,200 more until noon: '],
  [{ kind: 'more', at: NOON, count: 997, isAtLeast: true }, 'and more than 997 more: '],
] as const)('%j', (line, words) => {
  const said = absentWords(line, () => 'noon')
  expect(`${said.what}: ${said.words}`).toBe(words)
})

test('a ping that was ignored says why', () => {
  expect(ignoredWords({ ignoredBy: 'method', method: 'HEAD' })).toBe('sent by HEAD')
  expect(ignoredWords({ ignoredBy: 'pause', method: 'GET' })).toBe('the check was paused')
  expect(ignoredWords({ ignoredBy: null, method: 'GET' })).toBe('')
})

test.each([
  ['success', 'ran 11:00, arrived 12:00'],
  ['fail', 'ran 11:00, arrived 12:00'],
  ['start', 'started 11:00, arrived 12:00'],
  ['log', 'happened 11:00, arrived 12:00'],
  ['ign', 'happened 11:00, arrived 12:00'],
] as const)('a late ping of kind %s has both times', (kind, words) => {
  const clock = (at: typeof NOON) => at.toString().slice(11, 16)
  const ping = { kind, receivedAt: NOON, occurredAt: NOON.subtract({ hours: 1 }) }
  expect(latePingWords(ping, clock)).toBe(words)
  expect(latePingWords({ ...ping, occurredAt: null }, clock)).toBe('')
})
