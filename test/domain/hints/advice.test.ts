/** What is wrong with the watching of a check, in the words of a reader in Riga at noon on 15 May. */
import { describe, expect, test } from 'bun:test'
import type { Mute, MuteChannels } from '../../../src/domain/channel/mute.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { type Advice, adviceSentence, advise, nextAdviceAt } from '../../../src/domain/hints/advice.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { addSeconds, type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck } from '../../support/builders.ts'

const tz = 'Europe/Riga'
const NOW = local('05-15T12:00')
const HOUR = 3_600
const DAY = 24 * HOUR

function local(time: string): Instant {
  return Temporal.ZonedDateTime.from(`2026-${time}[${tz}]`).toInstant()
}
const ago = (seconds: number) => addSeconds(NOW, -seconds)

interface Given {
  readonly check?: Partial<Check>
  readonly channelIds?: readonly string[]
  /** by id of the channel */
  readonly mute?: Readonly<Record<string, Mute>>
  readonly now?: Instant
}

function given({ check, channelIds = ['email'], mute = {}, now = NOW }: Given) {
  const daily = { timeoutSeconds: DAY, graceSeconds: HOUR, createdAt: ago(3 * DAY) }
  const channels: MuteChannels = new Map(Object.entries(mute))
  return [{ check: aCheck({ ...daily, ...check }), channelIds }, channels, now] as const
}
const says = (about: Given) =>
  advise(...given(about)).map((advice: Advice) => sentenceText(adviceSentence(advice), { now: NOW, tz }))
const kinds = (about: Given) => advise(...given(about)).map(({ kind }) => kind)

const RUNS = { status: 'up', nPings: 4, lastPingAt: ago(HOUR) } as const
const OFF: Mute = { why: 'off', since: null }
const failing = (since: Instant): Mute => ({ why: 'failing', since })

describe('a check is untold', () => {
  test('when it has no channel: from its first run on, or a day after it was created', () => {
    expect(says({ check: RUNS, channelIds: [] })).toEqual(['This check alerts no one.'])
    expect(says({ check: { ...RUNS, createdAt: ago(60) }, channelIds: [] })).toEqual(['This check alerts no one.'])
    const monthly = { kind: 'cron', schedule: '0 3 1 * *', tz } as const
    expect(kinds({ check: { ...monthly, createdAt: ago(DAY) }, channelIds: [] })).toEqual(['untold'])
    expect(kinds({ check: { ...monthly, createdAt: ago(DAY - 1) }, channelIds: [] })).toEqual([])
  })

  test('whether it is down, late or running, but not while it is paused', () => {
    expect(kinds({ check: { ...RUNS, status: 'down' }, channelIds: [] })).toEqual(['untold'])
    expect(kinds({ check: { ...RUNS, lastPingAt: ago(DAY + 60) }, channelIds: [] })).toEqual(['untold'])
    expect(kinds({ check: { ...RUNS, lastStartAt: ago(60) }, channelIds: [] })).toEqual(['untold'])
    expect(kinds({ check: { ...RUNS, status: 'paused' }, channelIds: [] })).toEqual([])
  })

  test.each([
    [['a'], { a: OFF }, 'its integration is off.'],
    [['a', 'b'], { a: OFF, b: OFF }, 'both integrations are off.'],
    [['a'], { a: { why: 'unconfirmed', since: null } }, 'its integration is not confirmed.'],
    [['a'], { a: failing(local('05-12T03:00')) }, 'its integration has failed since 12 May 03:00.'],
    [
      ['a', 'b', 'c'],
      { a: failing(local('05-12T03:00')), b: failing(local('05-13T03:00')), c: failing(local('05-11T03:00')) },
      'all 3 integrations have failed since 13 May 03:00.',
    ],
    [['a', 'b'], { a: failing(ago(3 * DAY)), b: OFF }, 'both integrations are off, failing or not confirmed.'],
  ] as const)('when nobody hears through any of its channels: %j %j', (channelIds, mute, words) => {
    expect(says({ check: RUNS, channelIds, mute })).toEqual([`This check alerts no one: ${words}`])
  })

  test('but not when one of its channels is heard', () => {
    expect(kinds({ check: RUNS, channelIds: ['a', 'b'], mute: { a: OFF } })).toEqual([])
    expect(kinds({ check: RUNS, channelIds: ['b'], mute: { a: OFF } })).toEqual([])
  })
})

describe('a check is unwatched', () => {
  test('when its first deadline has passed and it was never pinged', () => {
    expect(says({})).toEqual([
      'Never pinged in 3 d, though its first run was due on 13 May at 12:00. A check that was never pinged never alerts.',
    ])
    expect(kinds({ check: { createdAt: ago(DAY + HOUR) } })).toEqual(['unwatched'])
    expect(kinds({ check: { createdAt: ago(DAY + HOUR - 1) } })).toEqual([])
  })

  test('by the slots of its schedule, in its zone', () => {
    const nightly = { kind: 'cron', schedule: '0 3 * * *', tz } as const
    const created = local('05-15T02:50')
    const at = (now: Instant) => kinds({ check: { ...nightly, createdAt: created }, now })
    expect(at(local('05-15T03:59'))).toEqual([])
    expect(at(local('05-15T04:00'))).toEqual(['unwatched'])
    expect(kinds({ check: { kind: 'oncalendar', schedule: '2020-01-01 00:00', tz } })).toEqual([])
    expect(kinds({ check: { ...nightly, tz: 'Nowhere/Gone' } })).toEqual([])
  })

  test('at least an hour after it was created', () => {
    const minutely = { timeoutSeconds: 60, graceSeconds: 60 }
    expect(kinds({ check: { ...minutely, createdAt: ago(HOUR - 1) } })).toEqual([])
    expect(kinds({ check: { ...minutely, createdAt: ago(HOUR) } })).toEqual(['unwatched'])
  })

  test('but not while it is paused, nor after any ping', () => {
    expect(kinds({ check: { status: 'paused' } })).toEqual([])
    expect(kinds({ check: { nPings: 6 } })).toEqual([])
    expect(kinds({ check: { status: 'down', nPings: 1, lastStartAt: ago(2 * DAY) } })).toEqual([])
  })
})

test('what is worst is said first', () => {
  expect(kinds({ channelIds: [] })).toEqual(['untold', 'unwatched'])
})

test('the next advice that time brings is known, and nothing is expected after it', () => {
  const next = (about: Given) => {
    const [found, mute, now] = given(about)
    return nextAdviceAt(found, mute, now)
  }
  const fresh = { createdAt: NOW }
  expect(next({ check: fresh })).toEqual(addSeconds(NOW, DAY + HOUR))
  expect(next({ check: fresh, channelIds: [] })).toEqual(addSeconds(NOW, DAY))
  expect(next({ check: fresh, channelIds: [], now: addSeconds(NOW, DAY) })).toEqual(addSeconds(NOW, DAY + HOUR))
  for (const check of [{}, { ...fresh, ...RUNS }, { ...fresh, status: 'paused' } as const])
    expect(next({ check })).toBeNull()
})
