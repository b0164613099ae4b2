/** The words of a status page. */
import { describe, expect, test } from 'bun:test'
import { recordPause } from '../../../src/domain/check/run-history.ts'
import {
  type PublicService,
  type PublicState,
  publicState,
  stoppedOf,
  summarize,
  summarySentence,
} from '../../../src/domain/status-page/public-status.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { aCheck, at } from '../../support/builders.ts'

const service = (name: string, state: PublicState, stopped: PublicService['stopped'] = null): PublicService => ({
  name,
  text: '',
  state,
  since: null,
  stopped,
  days: [],
  total: null,
})
const silent = (time: string) => ({ isSilent: true, at: at(time) })
const failing = (time: string) => ({ isSilent: false, at: at(time) })
const summaryOf = (...services: readonly PublicService[]) => summarize([{ name: 'Shop', services }])
const working = (count: number) => Array.from({ length: count }, (_, index) => service(`W${index}`, 'working'))
const words = (...services: readonly PublicService[]) =>
  sentenceText(summarySentence(summaryOf(...services)), { now: at('12:00'), tz: 'UTC' })

describe('the summary', () => {
  test.each<[readonly PublicService[], string]>([
    [[], 'Nothing is monitored at the moment.'],
    [[service('A', 'paused'), service('B', 'new')], 'Nothing is monitored at the moment.'],
    [[...working(2), service('A', 'paused')], 'Everything is running normally.'],
    [
      [...working(5), service('Nightly backup', 'delayed', silent('02:56')), service('Stock levels', 'late')],
      '5 of 7 running normally. Nightly backup has not run since 02:56. Stock levels are delayed.',
    ],
    [
      [...working(1), service('Orders', 'delayed', silent('02:56')), service('Search', 'delayed', failing('03:10'))],
      '1 of 3 running normally. Orders have not run since 02:56. Search has not worked since 03:10.',
    ],
    [[service('Access', 'late')], 'Access is delayed.'],
    [[service('A', 'delayed')], 'A is not working.'],
    [[service('A', 'late'), service('B', 'late')], '0 of 2 running normally. A and B are delayed.'],
    [
      ['A', 'B', 'C', 'D', 'E'].map((name) => service(name, 'late')),
      '0 of 5 running normally. A, B, C and 2 more are delayed.',
    ],
    [
      ['A', 'B', 'C', 'D'].map((name) => service(name, 'delayed', silent('02:56'))),
      '0 of 4 running normally. A has not run since 02:56. B has not run since 02:56. C has not run since 02:56. 1 more is not working.',
    ],
  ])('%#', (services, said) => {
    expect(words(...services)).toBe(said)
  })

  test('has the worst state', () => {
    expect(summaryOf(service('A', 'late'), service('B', 'delayed')).state).toBe('delayed')
    expect(summaryOf(service('A', 'late'), service('B', 'working')).state).toBe('late')
  })
})

describe('a check that is down', () => {
  const check = aCheck({ status: 'up', lastPingAt: at('02:56'), timeoutSeconds: 3600, graceSeconds: 600 })
  const down = { ...check, status: 'down' as const }

  test.each([
    ['before it is down', check, '04:00', null, null],
    ['before its flip is written', check, '04:10', null, silent('02:56')],
    ['by silence', down, '05:00', at('04:06'), silent('02:56')],
    ['by a failure', { ...down, lastPingAt: at('03:10') }, '05:00', at('03:10'), failing('03:10')],
    ['by silence, then failing', { ...down, lastPingAt: at('04:30') }, '05:00', at('04:06'), failing('04:06')],
    ['while a run goes on', { ...down, lastStartAt: at('04:50') }, '05:00', at('04:06'), failing('04:06')],
  ])('%s', (_, of, now, since, stopped) => {
    expect(stoppedOf(of, at(now), since)).toEqual(stopped)
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
