/** The additional sentences at the top of a check's page. */
import { describe, expect, test } from 'bun:test'
import { nextSlotSentence, outageHeadline, recoveryOf } from '../../../src/domain/sentence/check-head.ts'
import type { Sentence } from '../../../src/domain/words/sentence-parts.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { aCheck } from '../../support/builders.ts'
import { after, NOON } from '../../support/store-builders.ts'

const said = (sentence: Sentence) => sentenceText(sentence, { now: NOON, tz: 'UTC' })
const flip = (n: number, oldStatus: 'up' | 'down' | 'new', newStatus: 'up' | 'down', seconds: number) => ({
  ...{ checkId: 'c', n, createdAt: after(seconds), oldStatus, newStatus, reason: '' as const },
})

describe('a recovery', () => {
  const check = aCheck({ lastPingAt: after(0) })

  test('has the time that the check was down', () => {
    expect(recoveryOf(check, [flip(2, 'down', 'up', 0), flip(1, 'up', 'down', -600)])).toEqual({ downtime: 600 })
    expect(recoveryOf(check, [flip(2, 'down', 'up', 0)])).toEqual({ downtime: null })
  })

  test('is none when the last ping came later, or the check came from elsewhere', () => {
    expect(recoveryOf(check, [flip(2, 'down', 'up', -60)])).toBeNull()
    expect(recoveryOf(check, [flip(1, 'new', 'up', 0)])).toBeNull()
    expect(recoveryOf(check, [])).toBeNull()
  })
})

test('the next slot is known of a schedule, and not of a period', () => {
  const cron = aCheck({ kind: 'cron', schedule: '0 3 * * *', tz: 'UTC' })
  expect(said(nextSlotSentence(cron, NOON))).toBe('The next run is due tomorrow at 03:00.')
  expect(nextSlotSentence(aCheck({ kind: 'simple' }), NOON)).toEqual([])
})

describe('an outage of Overdue', () => {
  const outage = { from: after(-7_200), until: after(-3_600) }

  test('is told of a check that was there, with how long it is spared', () => {
    const check = aCheck({ createdAt: after(-90_000), sparedUntil: null })
    const told = outageHeadline(check, outage, NOON)
    expect(told && said(told.lead)).toBe('Overdue had an outage from 10:00 to 11:00.')
    expect(told && said(told.detail)).toBe('Pings sent in that time are missing.')
    const spared = outageHeadline({ ...check, sparedUntil: after(900) }, outage, NOON)
    expect(spared && said(spared.detail)).toBe(
      'Pings sent in that time are missing. No alert before 12:15, so that the job can still report.',
    )
  })

  test('is not told of a later check, or without an outage', () => {
    expect(outageHeadline(aCheck({ createdAt: after(-60) }), outage, NOON)).toBeNull()
    expect(outageHeadline(aCheck({ createdAt: after(-90_000) }), null, NOON)).toBeNull()
  })
})
