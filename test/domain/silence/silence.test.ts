/** Silences: the checks that they match, their active time, and their creation by requests. */
import { describe, expect, test } from 'bun:test'
import { readPingSilence, silenceOfPing } from '../../../src/domain/silence/ping-silence.ts'
import {
  endSilence,
  holding,
  isActive,
  type Match,
  matches,
  type SilencedCheck,
} from '../../../src/domain/silence/silence.ts'
import { readSilence } from '../../../src/domain/silence/spec.ts'
import { mutedSentence } from '../../../src/domain/silence/words.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { aCheck, aSilence, at, CHECK_ID, NOON, PROJECT_ID, RID_A } from '../../support/builders.ts'

const CHECK: SilencedCheck = { ...aCheck({ tags: 'prod db' }), lastSuccessAt: at('00:00') }

describe('a silence matches', () => {
  test.each<[string, Match, boolean]>([
    ['all checks of its project, without more', { checks: [], tags: [] }, true],
    ['the checks that it names', { checks: [RID_A, CHECK_ID], tags: [] }, true],
    ['no others', { checks: [RID_A], tags: [] }, false],
    ['checks with all of its tags', { checks: [], tags: ['db', 'prod'] }, true],
    ['no check that lacks one', { checks: [], tags: ['db', 'web'] }, false],
    ['whole tags', { checks: [], tags: ['pro'] }, false],
    ['what it names only with its tags', { checks: [CHECK_ID], tags: ['web'] }, false],
  ])('%s', (_, match, isMatch) => {
    expect(matches(aSilence({ match }), CHECK)).toBe(isMatch)
  })

  test('no check of another project', () => {
    expect(matches(aSilence({ projectId: RID_A }), CHECK)).toBe(false)
    expect(matches(aSilence({ projectId: RID_A, match: { checks: [CHECK_ID], tags: [] } }), CHECK)).toBe(false)
  })
})

/** Whether the silence holds an incident of the check. */
const holds = (...given: Parameters<typeof holding>) => holding(...given) !== null

describe('a silence holds', () => {
  test('from its start until just before its end', () => {
    const silence = aSilence({ startsAt: at('01:00'), endsAt: at('02:00') })
    const times = ['00:59:59.999999', '01:00', '01:59:59.999999', '02:00']
    expect(times.map((time) => holds(silence, CHECK, 'down', at(time)))).toEqual([false, true, true, false])
  })

  test('what is no worse than it says', () => {
    const silence = aSilence({ upTo: 'warning' })
    expect([holds(silence, CHECK, 'warning', at('00:30')), holds(silence, CHECK, 'down', at('00:30'))]).toEqual([
      true,
      false,
    ])
    expect(holds(aSilence(), CHECK, 'warning', at('00:30'))).toBe(true)
  })

  test('until healthy, a check that has had no success since its start', () => {
    const silence = aSilence({ untilHealthy: true })
    const holdsAfter = (lastSuccessAt: SilencedCheck['lastSuccessAt']) =>
      holds(silence, { ...CHECK, lastSuccessAt }, 'down', at('00:30'))
    expect([null, at('00:00'), at('00:00:00.000001')].map(holdsAfter)).toEqual([true, true, false])
  })
})

test('a silence that is ended holds nothing from then on, and one that has not begun never begins', () => {
  const ended = endSilence(aSilence(), at('00:30'))
  expect([isActive(ended, at('00:29')), isActive(ended, at('00:30'))]).toEqual([true, false])
  expect(endSilence(aSilence(), at('02:00'))).toEqual(aSilence())
  const planned = endSilence(aSilence({ startsAt: at('00:50') }), at('00:30'))
  expect([at('00:30'), at('00:50'), at('00:55')].some((time) => isActive(planned, time))).toBe(false)
})

describe('the ping URL', () => {
  const read = (duration: string) => readPingSilence({ for: duration, until: null })?.seconds ?? null

  test.each([
    ['20m', 1_200],
    ['60s', 60],
    ['1m', 60],
    ['020m', 1_200],
    ['12h', 43_200],
    ['30d', 2_592_000],
    ['2592000s', 2_592_000],
  ])('silences for a time: %s', (duration, seconds) => {
    expect(read(duration)).toBe(seconds)
  })

  test.each([
    '20',
    '',
    '59s',
    '0m',
    '31d',
    '2592001s',
    '99999999999999d',
    '1w',
    '20M',
    ' 20m',
    '20m ',
    '1h30m',
    '-20m',
    '1.5h',
    '２０m',
  ])('takes nothing else: %j', (duration) => {
    expect(read(duration)).toBeNull()
  })

  test('silences until healthy, and takes one of the two', () => {
    expect(readPingSilence({ for: null, until: 'healthy' })).toEqual({ seconds: 604_800, untilHealthy: true })
    expect(readPingSilence({ for: null, until: null })).toBeNull()
    expect(readPingSilence({ for: null, until: 'Healthy' })).toBeNull()
    expect(readPingSilence({ for: '20m', until: 'healthy' })).toBeNull()
  })

  test('silences its check alone, from now on', () => {
    const silence = silenceOfPing('s', CHECK, { seconds: 1_200, untilHealthy: false }, NOON)
    expect(silence).toEqual({
      ...{
        id: 's',
        projectId: PROJECT_ID,
        match: { checks: [CHECK_ID], tags: [] },
        startsAt: NOON,
        endsAt: at('12:20'),
      },
      ...{ untilHealthy: false, window: null, upTo: 'down', reason: '', createdAt: NOON, createdBy: null },
    })
    expect([CHECK, { ...CHECK, id: RID_A }].map((check) => matches(silence, check))).toEqual([true, false])
  })
})

describe('a request for a silence', () => {
  const inDays = (days: number) => addSeconds(NOON, days * 86_400)
  const windowFor = (body: object) => {
    const wanted = readSilence(body, NOON)
    if (typeof wanted === 'string') throw new Error(wanted)
    const { startsAt, endsAt, untilHealthy } = wanted
    return { startsAt, endsAt, untilHealthy }
  }

  test('has its match, its times, how bad it may get, and a reason', () => {
    const body = {
      match: { checks: [CHECK_ID.toUpperCase(), CHECK_ID], tags: ['prod', 'prod'] },
      ...{
        starts_at: '2026-03-04T12:30:00Z',
        ends_at: '2026-03-04T15:00:00+02:00',
        up_to: 'warning',
        reason: ' upgrade ',
      },
    }
    expect(readSilence(body, NOON)).toEqual({
      ...{ match: { checks: [CHECK_ID], tags: ['prod'] }, startsAt: at('12:30'), endsAt: at('13:00') },
      ...{ untilHealthy: false, window: null, upTo: 'warning', reason: 'upgrade' },
    })
  })

  test('is for the whole project, at once and without a reason, if it says no more', () => {
    expect(readSilence({ match: {}, ends_at: '2026-03-04T13:00:00Z' }, NOON)).toEqual({
      ...{ match: { checks: [], tags: [] }, startsAt: NOON, endsAt: at('13:00') },
      ...{ untilHealthy: false, window: null, upTo: 'down', reason: '' },
    })
  })

  test('begins now if its start has passed', () => {
    const body = { match: {}, starts_at: '2026-03-04T11:00:00Z', ends_at: '2026-03-04T13:00:00Z' }
    expect(windowFor(body)).toEqual({ startsAt: NOON, endsAt: at('13:00'), untilHealthy: false })
  })

  test('until healthy ends after seven days at the latest', () => {
    const until = { match: {}, until_healthy: true }
    expect(windowFor(until)).toEqual({ startsAt: NOON, endsAt: inDays(7), untilHealthy: true })
    expect(windowFor({ ...until, ends_at: '2026-03-04T13:00:00Z' }).endsAt).toEqual(at('13:00'))
    expect(readSilence({ ...until, ends_at: '2026-03-11T12:00:01Z' }, NOON)).toBe(
      'ends_at is more than 7 days after the start: a silence until healthy has an end before that',
    )
  })

  const ends_at = '2026-03-04T13:00:00Z'
  test.each([
    [[], 'the value is not an object'],
    [{ ends_at }, 'match is missing'],
    [{ match: { tag: ['db'] }, ends_at }, 'match/tag is not a known field'],
    [{ match: { checks: ['db'] }, ends_at }, 'match/checks/0 is not the UUID of a check'],
    [{ match: { tags: ['two words'] }, ends_at }, 'match/tags/0 is not a tag'],
    [{ match: { tags: Array(101).fill('a') }, ends_at }, 'match/tags is too long'],
    [{ match: { checks: [] }, ends_at }, 'match/checks is empty: name one at least, or leave it out'],
    [{ match: { tags: [] }, ends_at }, 'match/tags is empty: name one at least, or leave it out'],
    [{ match: {}, end_at: ends_at }, 'end_at is not a known field'],
    [{ match: {} }, 'ends_at is missing: give an end, or set until_healthy'],
    [{ match: {}, until_healthy: false }, 'ends_at is missing: give an end, or set until_healthy'],
    [{ match: {}, ends_at: '13:00' }, 'ends_at is not an instant such as 2026-11-16T04:09:12Z'],
    [{ match: {}, ends_at: '2199-12-31T23:00:00-01:00' }, 'ends_at is not an instant such as 2026-11-16T04:09:12Z'],
    [{ match: {}, ends_at: '2026-03-04T12:00:00Z' }, 'ends_at is in the past'],
    [{ match: {}, starts_at: ends_at, ends_at }, 'ends_at is not after starts_at'],
    [{ match: {}, ends_at: '2026-04-03T12:00:01Z' }, 'ends_at is more than 30 days after the start'],
    [
      { match: {}, starts_at: '2027-03-04T12:00:01Z', ends_at: '2027-03-05T12:00:00Z' },
      'starts_at is more than 365 days ahead',
    ],
    [{ match: {}, ends_at, up_to: 'all' }, 'up_to is not one of the allowed values (warning or down)'],
    [{ match: {}, ends_at, reason: 'x'.repeat(1_001) }, 'reason is too long (at most 1000 characters)'],
    [{ match: {}, ends_at, reason: 'a\0b' }, 'reason contains a NUL character or half of a surrogate pair'],
  ])('that is wrong says what to change: %#', (body, problem) => {
    expect(readSilence(body, NOON)).toBe(problem)
  })

  test('may last thirty days', () => {
    expect(windowFor({ match: {}, ends_at: '2026-04-03T12:00:00Z' }).endsAt).toEqual(inDays(30))
  })
})

test.each([
  [{ endsAt: at('14:00') }, 'Muted until 14:00.'],
  [{ endsAt: at('14:00'), reason: 'upgrade' }, 'Muted until 14:00: ‘upgrade’.'],
  [{ endsAt: addSeconds(NOON, 86_400), untilHealthy: true }, 'Muted until healthy, tomorrow 12:00 at the latest.'],
  [{ endsAt: at('14:00'), reason: 'Disk\nis full!' }, 'Muted until 14:00: ‘Disk is full!’'],
])('a silence says when it ends, and why: %#', (given, words) => {
  expect(sentenceText(mutedSentence(aSilence(given), NOON), { now: NOON, tz: 'UTC' })).toBe(words)
})
