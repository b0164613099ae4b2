/** The time of a late ping, as given in its URL. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { inOrderOfTime, LATEST_HOURS, readOccurredAt } from '../../../src/domain/ping/occurred-at.ts'
import { fromMicroseconds, toMicroseconds } from '../../../src/lib/time.ts'
import { at, NOON } from '../../support/builders.ts'

const read = (...given: string[]) => {
  const { at: found, problem } = readOccurredAt(given, NOON)
  return problem ?? found?.toString() ?? null
}
const MS = NOON.epochMilliseconds
const HOUR = 3_600_000
const SHOWN = at('11:00').toString()

test('a ping without a time came when it happened', () => expect(read()).toBeNull())

test.each([
  ['milliseconds since 1970', `${MS - HOUR}`],
  ['seconds since 1970', `${(MS - HOUR) / 1_000}`],
  ['RFC 3339', SHOWN],
  ['RFC 3339 in small letters', SHOWN.toLowerCase()],
  ['another zone', SHOWN.replace('T11', 'T13').replace('Z', '+02:00')],
  ['a plus sign that was not encoded', SHOWN.replace('T11', 'T13').replace('Z', ' 02:00')],
])('a time may be written as %s', (_, text) => expect(read(text)).toBe(SHOWN))

test('a time is exact to a microsecond', () => {
  expect(read(SHOWN.replace('Z', '.123456789Z'))).toBe(SHOWN.replace('Z', '.123456Z'))
})

test('a time that is still ahead counts as arrival: the clock of the sender may be fast', () => {
  expect([read(`${MS}`), read(`${MS + 1}`), read(`${MS + 1_000 * HOUR}`)]).toEqual([null, null, null])
})

test('a time lies at most 72 hours back', () => {
  const last = MS - LATEST_HOURS * HOUR
  expect(read(`${last}`)).toBe(NOON.subtract({ hours: 72 }).toString())
  expect(read(`${last - 1}`)).toBe('at is more than 72 hours ago: a ping may arrive at most 72 hours late')
  expect(read('0')).toBe('at is more than 72 hours ago: a ping may arrive at most 72 hours late')
})

describe('the refusal says what to write', () => {
  const FORMS =
    'write milliseconds since 1970, such as 1764299520000, or a time with its zone, such as 2025-11-28T03:12:00Z'

  test('of an empty time', () => expect(read('')).toBe(`at is empty: ${FORMS}, or leave it out`))

  test('of several, even if they are the same', () => {
    expect(read(SHOWN, SHOWN)).toBe('at is given more than once: give one time')
  })

  test.each([
    'noon',
    '-1',
    '1.5',
    '1e12',
    '123456789012345',
    '2026-03-04',
    '2026-03-04T11:00:00',
    '2026-13-04T11:00:00Z',
    '2026-03-04T11:00:00+25:00',
    '2026-03-04T11:00:00.Z',
    `${SHOWN}\n`,
    '9'.repeat(10_000),
  ])('of %j, which is none', (text) => expect(read(text)).toBe(`at is not a time: ${FORMS}`))
})

test('no text is too strange', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { at: found, problem } = readOccurredAt([text], NOON)
      if (found !== null) expect(problem).toBeNull()
    }),
  )
})

test('a log is put in the order in which it happened, and one without late pings stays the same', () => {
  const entry = (n: number, received: number, occurred: number | null = null) => ({
    n,
    receivedAt: fromMicroseconds(received),
    occurredAt: occurred === null ? null : fromMicroseconds(occurred),
  })
  const live = [entry(1, 5), entry(2, 4)]
  expect(inOrderOfTime(live)).toBe(live)
  const late = [entry(1, 5), entry(2, 6, 3), entry(3, 7, 5), entry(4, 8)]
  expect(inOrderOfTime(late).map(({ n }) => n)).toEqual([2, 1, 3, 4])
  expect(toMicroseconds(late[1]?.receivedAt ?? NOON)).toBe(6)
})
