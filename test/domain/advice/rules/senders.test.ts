import { describe, expect, test } from 'bun:test'
import { advise } from '../../../../src/domain/advice/advise.ts'
import type { AdvisedPing } from '../../../../src/domain/advice/facts.ts'
import { advised, DAY, facts, HOUR, MINUTE, nightly, ping, START, said, sentenceOf } from '../facts.ts'

const NOW = START + 9 * DAY + 4 * HOUR
const merged = (...logs: readonly (readonly AdvisedPing[])[]) => logs.flat().toSorted((a, b) => a.at - b.at)
const from = (sender: string, minutes: number, given: Partial<AdvisedPing> = {}) =>
  nightly(10).map(({ at }) => ping(at + minutes * MINUTE, { sender, ...given }))

describe('several senders', () => {
  test('are named, and the only one that fails', () => {
    const log = merged(
      from('10.0.0.5', 0),
      from('10.0.0.6', 5),
      from('10.0.0.7', 10, { kind: 'fail' }),
      from('10.0.0.8', 15),
    )
    expect(said(facts({ log }), NOW)).toBe(
      '4 senders ping this check, each daily: 10.0.0.5, 10.0.0.6, 10.0.0.7 and others. If one stops, nobody notices. Only 10.0.0.7 fails.',
    )
  })

  test('are not named to readers who may not change the check', () => {
    const [advice] = advise(facts({ log: merged(from('10.0.0.5', 0), from('10.0.0.7', 5, { kind: 'fail' })) }), NOW)
    expect(advice && sentenceOf(advice, NOW, false)).toBe(
      'Two senders ping this check, each daily. If one stops, nobody notices.',
    )
  })

  test('silence what reads their runs as those of one job', () => {
    const log = merged(from('10.0.0.5', 0), from('10.0.0.7', 5, { kind: 'fail' }))
    expect(advised(facts({ log }), NOW)).toEqual(['senders/several'])
  })

  test('are told of a paused check too', () => {
    const log = merged(from('10.0.0.5', 0), from('10.0.0.7', 5))
    expect(advised(facts({ log, check: { isPaused: true, pausedAt: NOW - HOUR } }), NOW)).toEqual(['senders/several'])
  })

  test('are one job when they take turns, even at uneven distances', () => {
    const check = { kind: 'simple', timeoutSeconds: 3_600, graceSeconds: 3_600 } as const
    const log = Array.from({ length: 40 }, (_, index) => {
      const jitter = ((index * 13) % 17) * MINUTE
      return ping(START + index * HOUR + jitter, { sender: index % 2 === 0 ? '10.0.0.5' : '2001:db8::7' })
    })
    expect(advised(facts({ check, log }), START + 40 * HOUR)).toEqual([])
  })
})

describe('a visitor', () => {
  const preview = { sender: '54.1.2.3', userAgent: 'Slackbot-LinkExpanding 1.0' }
  const visited = merged(nightly(10), [ping(START + 8 * DAY + 10 * HOUR, preview)])

  test('is told for a week', () => {
    expect(said(facts({ log: visited }), NOW)).toBe(
      'A link preview (Slackbot) opened the ping URL yesterday at 10:00: it counted as a run.',
    )
    const log = [...visited, ...nightly(6, undefined, 10)]
    expect(advised(facts({ log }), START + 15 * DAY + 11 * HOUR)).toEqual([])
  })

  test('is not told where only POST counts, nor where many pings come so', () => {
    expect(advised(facts({ log: visited, check: { methods: 'POST' } }), NOW)).toEqual([])
    const often = merged(
      nightly(10),
      nightly(4, () => preview).map((each) => ({ ...each, at: each.at + 7 * HOUR })),
    )
    expect(advised(facts({ log: often }), NOW)).toEqual([])
  })
})
