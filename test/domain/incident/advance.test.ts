/** When alerts are sent for an incident that somebody acknowledged, or that a silence holds. */
import { describe, expect, test } from 'bun:test'
import { advance } from '../../../src/domain/incident/advance.ts'
import { followFlip } from '../../../src/domain/incident/follow.ts'
import { holdOf } from '../../../src/domain/incident/hold.ts'
import { type Incident, openIncident } from '../../../src/domain/incident/incident.ts'
import { readPingSilence, silenceOfPing } from '../../../src/domain/silence/ping-silence.ts'
import type { Silence } from '../../../src/domain/silence/silence.ts'
import type { Instant } from '../../../src/lib/time.ts'
import { aCheck, aFlip, aSilence } from '../../support/builders.ts'
import { BOB, ToldCheck, time } from '../support/told-check.ts'

const WEEK_LATER = time('168:00')
const untilHealthy = { untilHealthy: true, endsAt: WEEK_LATER }
const nightly = { endsAt: null, window: { schedule: '0 22 * * *', tz: 'UTC', seconds: 9 * 3_600 } }
/** The first Saturday begins at 72:00. */
const weekends = { endsAt: null, window: { schedule: 'Sat,Sun', tz: 'UTC', seconds: 86_400 } }
const check = aCheck({ status: 'down' })

/** Returns the silence that `/silence?for=…` creates at 0:55. */
function silencedByUrl(duration: string): Silence {
  const wanted = readPingSilence({ for: duration, until: null })
  if (wanted === null) throw new Error(`${duration} is none`)
  return silenceOfPing('s', check, wanted, time('0:55'))
}

/** [settings and events, alerts with their times] */
const CASES: readonly (readonly [string, (it: ToldCheck) => ToldCheck, string])[] = [
  ['nothing holds it', (it) => it.down('0:00').up('0:20'), 'DOWN 0:00, UP 0:20'],
  [
    'a warning that is acknowledged, and gets worse',
    (it) => it.warning('0:00').take('0:10').down('0:20').up('0:40'),
    'WARNING 0:00, DOWN 0:20, UP 0:40',
  ],
  ['a silence that ends before it', (it) => it.silence({}).down('0:10').up('1:30'), 'DOWN 1:00, UP 1:30'],
  ['a silence that it does not outlast', (it) => it.silence({}).down('0:10').up('0:40'), ''],
  [
    'a recovery during a silence, of what was told',
    (it) =>
      it
        .down('0:10')
        .silence({ startsAt: time('0:20') })
        .up('0:50'),
    'DOWN 0:10, UP 0:50',
  ],
  [
    'a silence up to warning',
    (it) => it.silence({ upTo: 'warning' }).warning('0:10').down('0:20').up('0:30'),
    'DOWN 0:20, UP 0:30',
  ],
  ['a silence until healthy', (it) => it.silence(untilHealthy).down('0:10').up('0:40').down('0:50'), 'DOWN 0:50'],
  ['a silence until healthy, and a success', (it) => it.silence(untilHealthy).up('0:05').down('0:10'), 'DOWN 0:10'],
  [
    'two silences, one after the other',
    (it) =>
      it
        .silence({})
        .silence({ startsAt: time('0:50'), endsAt: time('1:20') }, '0:00')
        .down('0:10'),
    'DOWN 1:20',
  ],
  ['a silence by the ping URL', (it) => it.silence(silencedByUrl('20m')).down('1:10'), 'DOWN 1:15'],
  ['a window of each night', (it) => it.silence(nightly, '0:00').down('23:00').up('30:00').down('31:00'), 'DOWN 31:00'],
  ['a window that it outlasts', (it) => it.silence(nightly, '0:00').down('23:00').up('32:00'), 'DOWN 31:00, UP 32:00'],
  [
    'a window that begins after it',
    (it) => it.silence(nightly, '0:00').down('21:00').up('23:00'),
    'DOWN 21:00, UP 23:00',
  ],
  ['a window of Saturday and one of Sunday', (it) => it.silence(weekends, '0:00').down('77:00'), 'DOWN 120:00'],
  [
    'windows that overlap',
    (it) => it.silence({ ...weekends, window: { ...weekends.window, seconds: 30 * 3_600 } }, '0:00').down('77:00'),
    'DOWN 126:00',
  ],
  [
    'a window that is ended',
    (it) => it.silence(nightly, '0:00').down('23:00').unsilence('24:00').down('25:00'),
    'DOWN 24:00',
  ],
  [
    'a window within another silence',
    (it) =>
      it
        .silence(nightly, '0:00')
        .silence({ startsAt: time('23:30'), endsAt: time('40:00') }, '1:00')
        .down('23:00'),
    'DOWN 40:00',
  ],
  ['a silence that is ended', (it) => it.silence({}).down('0:10').unsilence('0:30'), 'DOWN 0:30'],
  [
    'a silence that is made after it was held',
    (it) =>
      it
        .silence({})
        .down('0:10')
        .silence({ endsAt: time('2:00') }, '0:30'),
    'DOWN 2:00',
  ],
  ['taken while a silence holds it', (it) => it.silence({}).down('0:10').take('0:30').up('1:30'), ''],
  ['taken for a time', (it) => it.silence({}).down('0:10').take('0:30', { until: '1:30' }), 'DOWN 1:30'],
  ['handed back within the silence', (it) => it.silence({}).down('0:10').take('0:30').handBack('0:40'), 'DOWN 1:00'],
  ['handed back after the silence', (it) => it.silence({}).down('0:10').take('0:30').handBack('1:40'), 'DOWN 1:40'],
  [
    'told, taken and handed back',
    (it) => it.down('0:10').take('0:20').handBack('0:40').up('0:50'),
    'DOWN 0:10, UP 0:50',
  ],
  [
    'told, and taken for a time',
    (it) => it.down('0:10').take('0:20', { until: '1:00' }).up('2:00'),
    'DOWN 0:10, UP 2:00',
  ],
  ['paused while it is held', (it) => it.silence({}).down('0:10').pause('0:30').up('0:40').down('1:40'), 'DOWN 1:40'],
  ['paused after it was told', (it) => it.down('0:10').pause('0:30').up('0:40'), 'DOWN 0:10'],
]

describe('channels are told', () => {
  test.each(CASES)('%s', (_, happens, told) => {
    expect(happens(new ToldCheck()).until('200:00').told).toBe(told)
  })
})

test('what holds an incident is written when it changes, and when it ends', () => {
  const overlapping = { startsAt: time('0:50'), endsAt: time('1:20') }
  const held = new ToldCheck().silence({}).silence(overlapping, '0:00').down('0:10')
  expect(held.open?.held).toEqual({ why: 'silence', silenceId: 's0', until: time('1:00') })
  expect(held.until('3:00').holds).toBe('held 1:00, held 1:20, released')
  const { told, toldAt, held: hold, nextLookAt } = held.open ?? {}
  expect([told, toldAt, hold, nextLookAt]).toEqual(['down', time('1:20'), null, null])
})

test('a silence that is prolonged while it holds is written once', () => {
  const silence = aSilence({ endsAt: time('2:00') })
  const open = openIncident(aFlip({ createdAt: time('0:10') }))
  const look = (incident: Incident, endsAt: Instant) =>
    advance(incident, { check, silences: [{ ...silence, endsAt }] }, time('0:20'))
  const first = look(open, time('1:00'))
  expect(first.events).toMatchObject([{ kind: 'held', until: time('1:00') }])
  const second = look(first.incident, time('2:00'))
  expect(second.events).toEqual([])
  expect(second.incident).toMatchObject({ held: { until: time('2:00') }, nextLookAt: time('2:00') })
})

test('windows that follow each other hold an incident one after the other', () => {
  const it = new ToldCheck().silence(weekends, '0:00').down('77:00')
  expect(it.open?.nextLookAt).toEqual(time('96:00'))
  expect(it.until('200:00').holds).toBe('held 96:00, held 120:00, released')
})

test('people who take it and hand it back are written before what follows', () => {
  const it = new ToldCheck().silence({}).down('0:10').take('0:30', { until: '0:50' }).until('3:00')
  expect(it.holds).toBe('held 1:00, acknowledged, released, held 1:00, released')
  const taken = new ToldCheck().silence({}).down('0:10').take('0:20').take('0:30', { by: BOB, takesOver: true })
  expect(taken.handBack('2:00', BOB).holds).toBe('held 1:00, acknowledged, acknowledged, released')
  expect(taken.told).toBe('DOWN 2:00')
})

describe('an acknowledgement lapses at its time', () => {
  test('also after the telling', () => {
    const it = new ToldCheck().down('0:10').take('0:20', { until: '1:00' })
    expect(it.open?.nextLookAt).toEqual(time('1:00'))
    const { acknowledgement, nextLookAt } = it.until('1:00').open ?? {}
    expect([acknowledgement, nextLookAt]).toEqual([null, null])
    expect(it.holds).toBe('acknowledged, released')
  })

  test('also when a worse severity is told, or held by a silence, in the meantime', () => {
    const raised = () => new ToldCheck().warning('0:00').take('0:10', { until: '0:50' })
    expect(raised().down('0:20').until('2:00').holds).toBe('acknowledged, released')
    const silenced = raised()
      .silence({ startsAt: time('0:15') })
      .down('0:20')
    expect(silenced.open?.nextLookAt).toEqual(time('0:50'))
    expect(silenced.until('2:00').holds).toBe('acknowledged, held 1:00, released, released')
    expect(silenced.told).toBe('WARNING 0:00, DOWN 1:00')
  })
})

test('of several silences the one that began first is named, and of those the first by its id', () => {
  const holding = (...silences: Partial<Silence>[]) =>
    holdOf(null, 'down', { check, silences: silences.map(aSilence) }, time('0:30'))
  const first = { id: 'b', startsAt: time('0:10') }
  const hold = { why: 'silence', silenceId: 'b', until: time('1:00') } as const
  expect(holding({ id: 'a', startsAt: time('0:20') }, first)).toEqual(hold)
  expect(holding(first, { id: 'a', startsAt: time('0:20') })).toEqual(hold)
  expect(holding({ ...first, id: 'c' }, first)).toEqual(hold)
  expect(holding(first, { ...first, id: 'c' })).toEqual(hold)
})

test('without a silence and with nobody on it, an incident is looked at only by its flips', () => {
  const it = new ToldCheck().down('0:00').until('100:00').up('101:00')
  expect([it.looks, it.events.length]).toEqual([0, 0])
})

describe('a look', () => {
  const world = { check, silences: [aSilence({ id: 's0' })] }
  const { open } = new ToldCheck().silence({}).down('0:10')
  if (open === null) throw new Error('it is not open')

  test('that comes late tells what is true then', () => {
    expect(advance(open, world, time('4:00')).tellings).toEqual([{ eventN: 1, news: 'down' }])
  })

  test('that comes early changes nothing', () => {
    expect(advance(open, world, time('0:30'))).toEqual({ incident: open, tellings: [], events: [] })
  })
})

test('an incident that has ended tells nobody', () => {
  const [ended] = new ToldCheck().silence({}).down('0:10').up('0:30').ended
  expect(ended && advance(ended, { check, silences: [] }, time('2:00')).tellings).toEqual([])
})

test('a recovery of which nothing is known is told, as of a check that was imported while down', () => {
  const up = aFlip({ n: 7, oldStatus: 'down', newStatus: 'up' })
  const world = { check, silences: [] }
  expect(followFlip(null, up, world, time('0:10')).tellings).toEqual([{ eventN: 7, news: 'up' }])
  expect(followFlip(null, { ...up, oldStatus: 'new' }, world, time('0:10')).tellings).toEqual([])
})
