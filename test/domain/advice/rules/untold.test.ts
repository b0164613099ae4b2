import { describe, expect, test } from 'bun:test'
import type { AdvisedChannel } from '../../../../src/domain/advice/facts.ts'
import { advised, DAY, facts, HOUR, nightly, START, said } from '../facts.ts'

const NOW = START + 9 * DAY + 4 * HOUR
const log = nightly(10)

function channel(
  state: AdvisedChannel['state'],
  daysAgo: number | null = null,
  name = '',
  givenUp = 2,
): AdvisedChannel {
  return { name, state, since: daysAgo === null ? null : NOW - daysAgo * DAY, givenUp }
}

const saidOf = (...channels: readonly AdvisedChannel[]) => said(facts({ log, channels }), NOW)

describe('a check that nobody hears of', () => {
  test('is told from its first run on, or after a day', () => {
    const channels: readonly AdvisedChannel[] = []
    expect(advised(facts({ channels }), START + 2 * HOUR)).toEqual([])
    expect(advised(facts({ channels }), START + DAY)).toEqual(['untold/none', 'unwatched/never'])
    expect(advised(facts({ channels, log: nightly(1) }), START + 4 * HOUR)).toEqual(['untold/none'])
  })

  test('is not told while it is paused', () => {
    expect(advised(facts({ channels: [], log, check: { isPaused: true, pausedAt: NOW - HOUR } }), NOW)).toEqual([])
  })

  test.each<[readonly AdvisedChannel[], string]>([
    [[channel('off')], 'Nobody would be alerted: its integration is off.'],
    [[channel('failing', 2)], 'Nobody would be alerted: its integration has failed since 11 May 04:00.'],
    [
      [channel('failing', 9), channel('failing', 2)],
      'Nobody would be alerted: both integrations have failed since 11 May 04:00.',
    ],
    [
      [channel('unconfirmed'), channel('unconfirmed'), channel('unconfirmed')],
      'Nobody would be alerted: all 3 integrations are not confirmed.',
    ],
    [
      [channel('unconfirmed'), channel('off')],
      'Nobody would be alerted: both integrations are off, failing or not confirmed.',
    ],
  ])('%j', (channels, sentence) => expect(saidOf(...channels)).toBe(sentence))

  test.each<[string, readonly AdvisedChannel[]]>([
    ['fails for less than a day', [channel('off'), channel('failing', 0.9)]],
    ['fails since nobody knows when', [channel('failing')]],
  ])('is not told while one %s', (_, channels) => expect(saidOf(...channels)).toBe(''))
})

describe('a check that not all hear of', () => {
  test.each<[readonly AdvisedChannel[], string]>([
    [
      [channel('ready'), channel('ready'), channel('failing', 4, 'Ops chat')],
      '1 of 3 integrations has failed for 4 d: Ops chat. The other 2 still get its alerts.',
    ],
    [
      [channel('ready'), channel('off', 3, 'A'), channel('unconfirmed', 5, 'B')],
      '2 of 3 integrations have been off, failing or not confirmed for 3 d: A, B. The other one still gets its alerts.',
    ],
    [
      [channel('ready'), channel('failing', 1), channel('off', 3)],
      '1 of 3 integrations has been off for 3 d. Only one still gets its alerts.',
    ],
  ])('%j', (channels, sentence) => expect(saidOf(...channels)).toBe(sentence))

  test('is not told of one message that was given up, nor of what is off since nobody knows when', () => {
    expect(saidOf(channel('ready'), channel('failing', 4, '', 1))).toBe('')
    expect(saidOf(channel('ready'), channel('off'))).toBe('')
  })
})
