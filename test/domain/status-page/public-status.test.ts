/** The words of a status page. */
import { describe, expect, test } from 'bun:test'
import { recordPause } from '../../../src/domain/check/run-history.ts'
import {
  countWords,
  type PublicService,
  type PublicState,
  publicState,
  summarize,
  summaryText,
} from '../../../src/domain/status-page/public-status.ts'
import { aCheck, at } from '../../support/builders.ts'

const service = (name: string, state: PublicState, since = ''): PublicService => ({
  name,
  text: '',
  state,
  since: since === '' ? null : at(since),
  days: [],
  percent: null,
})
const summaryOf = (...services: readonly PublicService[]) => summarize([{ name: 'Shop', services }])
const working = (count: number) => Array.from({ length: count }, (_, index) => service(`W${index}`, 'working'))

describe('the summary', () => {
  test.each([
    [[], 'Nothing is watched at the moment.'],
    [[service('A', 'paused'), service('B', 'new')], 'Nothing is watched at the moment.'],
    [[...working(2), service('A', 'paused')], 'Everything is working.'],
    [[...working(2), service('A', 'delayed')], 'Mostly working. Delayed: A.'],
    [[service('A', 'delayed'), service('B', 'late')], 'Delayed: A. Late: B.'],
    [[...working(1), service('B', 'late')], 'Mostly working. Late: B.'],
    [['A', 'B', 'C', 'D', 'E'].map((name) => service(name, 'delayed')), 'Delayed: A, B, C and 2 more.'],
  ])('%#', (services, words) => {
    expect(summaryText(summaryOf(...services))).toBe(words)
  })

  test('has the worst state, and the oldest delay', () => {
    const summary = summaryOf(service('A', 'late'), service('B', 'delayed', '11:00'), service('C', 'delayed', '09:30'))
    expect(summary.state).toBe('delayed')
    expect(summary.since?.toString()).toBe(at('09:30').toString())
  })

  test.each([
    [working(1), 'It runs as planned.'],
    [[service('A', 'late')], 'It does not run as planned.'],
    [working(3), 'All 3 services run as planned.'],
    [[...working(3), service('A', 'late'), service('B', 'paused')], '3 of 4 services run as planned.'],
  ])('counts what is watched: %#', (services, words) => {
    expect(countWords(summaryOf(...services))).toBe(words)
  })
})

test('a check that is silent is late, then delayed, also before its flip is written', () => {
  const check = aCheck({ status: 'up', lastPingAt: at('10:00'), timeoutSeconds: 3600, graceSeconds: 600 })
  const states = ['10:59', '11:00', '11:10'].map((time) => publicState(check, at(time)))
  expect(states).toEqual(['working', 'late', 'delayed'])
})

test('a check whose job runs as usual works, also when it is due meanwhile', () => {
  const check = aCheck({ status: 'up', lastPingAt: at('10:00'), timeoutSeconds: 3600, lastStartAt: at('10:57') })
  expect(publicState(check, at('11:01'))).toBe('working')
  expect(publicState({ ...check, status: 'new', lastPingAt: null }, at('11:01'))).toBe('new')
})

test('a check that was resumed is shown as paused until its next ping', () => {
  expect(publicState(aCheck({ status: 'new', runs: recordPause(new Uint8Array()) }), at('11:01'))).toBe('paused')
})
