/** Sentences about trial settings, compared with a check's log. */
import { expect, test } from 'bun:test'
import type { Woken } from '../../../src/domain/advice/woken.ts'
import { messagesSentence, missedSentence, wokenLines } from '../../../src/domain/advice/woken-sentence.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { Temporal } from '../../../src/lib/time.ts'

const ms = (time: string) => Date.parse(time)
const NOW = '2026-05-26T09:00:00Z'
const NONE: Woken = {
  alerts: 0,
  alertsThen: 0,
  spared: 0,
  unfound: [],
  notYet: null,
  later: [],
  gained: [],
  more: [],
  noticeSeconds: 90_000,
  noticeThenSeconds: 90_000,
  over: { runs: 30, from: ms('2026-04-27T03:00:00Z'), until: ms(NOW) },
  recent: null,
}
const lines = (given: Partial<Woken>) =>
  wokenLines({ ...NONE, ...given }).map(({ says, isWarning }) => {
    return `${isWarning ? '! ' : ''}${sentenceText(says, { now: Temporal.Instant.from(NOW), tz: 'UTC' })}`
  })

test('the alerts are counted beside the present ones', () => {
  expect(lines({})).toEqual(['Over the last 30 runs, since 27 Apr 03:00: no alert, as now.'])
  expect(lines({ alerts: 2, alertsThen: 2 })).toEqual(['Over the last 30 runs, since 27 Apr 03:00: 2 alerts, as now.'])
  expect(lines({ alerts: 29 })).toEqual(['Over the last 30 runs, since 27 Apr 03:00: 0 alerts instead of 29.'])
  expect(lines({ alerts: 1, alertsThen: 1, spared: 1, more: [ms('2026-05-20T04:00:00Z')] })).toEqual([
    'Over the last 30 runs, since 27 Apr 03:00: 1 alert, as many as now.',
    'One alert is new and about no outage, on 20 May at 04:00.',
  ])
})

test('a log of some hours says how short it is', () => {
  const over = { runs: 48, from: ms('2026-05-26T05:00:00Z'), until: ms(NOW) }
  expect(lines({ alerts: 1, over })).toEqual(['Over the last 4 h only, with 48 runs: 0 alerts instead of 1.'])
})

test('an outage that would not be found comes as a warning, after the alerts', () => {
  const missed = { alerts: 3, alertsThen: 1, later: [{ at: ms('2026-05-12T04:45:00Z'), minutes: 45 }] }
  expect(lines({ ...missed, unfound: [ms('2026-05-14T04:00:00Z')] })).toEqual([
    'Over the last 30 runs, since 27 Apr 03:00: 1 alert instead of 3.',
    '! The outage reported on 14 May at 04:00 would not have been found: the next ping arrived before it was late.',
    'One outage would have been found 45 min later, on 12 May at 04:45.',
  ])
  const [, many] = lines({ ...missed, unfound: [ms('2026-05-14T04:00:00Z'), ms('2026-05-20T04:00:00Z')] })
  expect(many).toBe('! 2 outages would not have been found, the last of them reported on 20 May at 04:00.')
  const [, lasting] = lines({ alerts: 1, notYet: ms('2026-05-26T04:00:00Z') })
  expect(lasting).toBe('! The current outage, reported at 04:00, would not be found yet.')
  expect(missedSentence(NONE)).toEqual([])
})

test('outages that are found later, or that nobody heard of, are told by the last of them', () => {
  const at = ms('2026-05-12T04:45:00Z')
  const later = [1, 110].map((minutes) => ({ at, minutes }))
  expect(lines({ alerts: 2, alertsThen: 2, later, gained: [at, at], more: [at, at] }).slice(1)).toEqual([
    '2 outages would have been found later, by up to 1 h 50 min.',
    'It would have found 2 outages that nobody was alerted about, the last on 12 May at 04:45.',
    '2 alerts are new and about no outage, the last on 12 May at 04:45.',
  ])
  expect(lines({ alertsThen: 1, gained: [at] })[1]).toBe(
    'It would have found an outage that nobody was alerted about, on 12 May at 04:45.',
  )
})

test('how soon an outage is noticed is said where it changes, also of a check without runs', () => {
  expect(lines({ over: null, noticeThenSeconds: 600 })).toEqual([
    'From now on an outage is noticed within 10 min, instead of 1 d 1 h.',
  ])
  expect(lines({ over: null, noticeSeconds: null, noticeThenSeconds: 600 })).toEqual([
    'From now on an outage is noticed within 10 min.',
  ])
  expect(lines({ over: null, noticeThenSeconds: null })).toEqual([])
})

test('the messages are those to each integration that hears of the check', () => {
  const messages = (woken: Partial<Woken>, now: number, then: number) =>
    sentenceText(messagesSentence({ ...NONE, ...woken }, now, then), { now: Temporal.Instant.from(NOW), tz: 'UTC' })
  const span = 'Over the last 30 runs, since 27 Apr 03:00: '
  expect(messages({ alerts: 29 }, 2, 2)).toBe(`${span}29 alerts, 58 messages to 2 integrations.`)
  expect(messages({ alerts: 29 }, 2, 1)).toBe(`${span}29 alerts, 58 messages to 2 integrations → 29 messages to 1.`)
  expect(messages({ alerts: 1 }, 1, 0)).toBe(`${span}1 alert, 1 message to 1 integration → 0 messages to 0.`)
  expect(messages({}, 1, 0)).toBe(`${span}no alert, so no message.`)
  expect(messages({ over: null }, 1, 0)).toBe('')
})
