/** The judge of the kill suite can fail: an intact record passes, and each fault in it is reported. */
import { describe, expect, test } from 'bun:test'
import { applyEdit, type CheckState, type Edit, type Expected, wrongEdits } from '../support/kills/edits.ts'
import {
  brokenHolds,
  leftOpen,
  leftUntold,
  wrongDeliveries,
  wrongIncidents,
  wrongNotes,
} from '../support/kills/incidents.ts'
import type {
  CheckFound,
  EventFound,
  FlipFound,
  IncidentFound,
  PingFound,
  SilenceFound,
  Snapshot,
} from '../support/kills/snapshot.ts'
import {
  type Arrivals,
  brokenChains,
  type SentPing,
  wrongArrivals,
  wrongFlips,
  wrongOrder,
  wrongPings,
} from '../support/kills/violations.ts'

const CHANNELS = ['channel-1', 'channel-2']
const CHECK: CheckFound = {
  ...{ id: 'c1', name: 'backup', tags: '', desc: '', timeoutSeconds: 60, channelIds: CHANNELS.join(',') },
  ...{ status: 'down', nPings: 4, nEvents: 4 },
}

function entry(n: number, kind: PingFound['kind'], over: Partial<PingFound> = {}): PingFound {
  const rest = { exitStatus: null, rid: null, method: 'GET', body: null }
  return { checkId: 'c1', n, receivedAt: n * 100, kind, agent: `agent ${n}`, ...rest, ...over }
}

function flip(n: number, change: string, createdAt = 0, reason: FlipFound['reason'] = ''): FlipFound {
  const [oldStatus, newStatus] = change.split(' ') as [FlipFound['oldStatus'], FlipFound['newStatus']]
  return { checkId: 'c1', n, createdAt, oldStatus, newStatus, reason }
}

// The last ping was not acknowledged; after it the check times out.
const PINGS = [
  entry(1, 'success'),
  entry(2, 'start', { rid: 'r', body: 'output' }),
  entry(3, 'fail'),
  entry(4, 'success'),
]
const FLIPS = [
  flip(1, 'new up', 100),
  flip(2, 'up down', 300, 'fail'),
  flip(3, 'down up', 400),
  flip(4, 'up down', 450, 'timeout'),
]
const DEADLINES = [{ checkId: 'c1', at: 450 }]
const DELIVERIES = [2, 3, 4].flatMap((eventN) =>
  CHANNELS.map((channelId) => ({
    id: `d${eventN} ${channelId}`,
    checkId: 'c1',
    eventN,
    channelId,
    state: 'sent' as const,
    ...{ error: null, attempts: 1, heldUntil: null, endedAt: 500, attemptedAt: 490 + eventN },
  })),
)
const INCIDENTS: readonly IncidentFound[] = [
  { checkId: 'c1', n: 2, openedAt: 300, resolvedAt: 400, toldAt: 301, nextLookAt: null },
  { checkId: 'c1', n: 4, openedAt: 450, resolvedAt: null, toldAt: 451, nextLookAt: null },
]
const OTHERS = { incidents: INCIDENTS, events: [], silences: [] }
const INTACT: Snapshot = { checks: [CHECK], pings: PINGS, flips: FLIPS, deliveries: DELIVERIES, ...OTHERS }
const ARRIVALS: Arrivals = new Map(
  CHANNELS.map((channel) => [channel, DELIVERIES.filter(({ channelId }) => channelId === channel)]),
)
const SENT = PINGS.map(({ checkId: _, n, receivedAt: __, ...ping }): SentPing => {
  return { ...ping, check: 'backup', asks: null, sentAt: 2 * n - 1, answeredAt: n === 4 ? null : 2 * n }
})

const without = <Row>(rows: readonly Row[], index: number) => rows.filter((_, at) => at !== index)
const changed = <Row>(rows: readonly Row[], index: number, over: Partial<Row>) =>
  rows.map((row, at) => (at === index ? { ...row, ...over } : row))

/** Lists every violation in a snapshot and in the arrivals. */
function allViolations(
  over: Partial<Snapshot> = {},
  arrivals = ARRIVALS,
  deadlines = DEADLINES,
  isOver = true,
): string {
  const snapshot = { ...INTACT, ...over }
  return [
    ...[...wrongPings(SENT, snapshot), ...wrongOrder(SENT, snapshot), ...brokenChains(snapshot)],
    ...[...wrongFlips(deadlines, snapshot, isOver), ...wrongIncidents(snapshot), ...wrongDeliveries(snapshot)],
    ...wrongArrivals(arrivals, snapshot, { isOver }),
  ].join('\n')
}

test('an intact record has no violations, and neither has one without the ping that was not acknowledged', () => {
  expect(allViolations()).toBe('')
  expect(wrongPings(SENT, { ...INTACT, pings: without(PINGS, 3) })).toEqual([])
})

test.each<[fault: string, Partial<Snapshot>, sentence: string]>([
  ['a lost ping', { pings: without(PINGS, 1) }, 'the ping agent 2 to backup was acknowledged but is lost'],
  ['a ping logged twice', { pings: [...PINGS, entry(5, 'fail', { agent: 'agent 3' })] }, 'is twice in the logs'],
  ['a changed body', { pings: changed(PINGS, 1, { body: 'outp' }) }, 'differs from what was sent (body)'],
  ['another kind and run', { pings: changed(PINGS, 1, { kind: 'log', rid: null }) }, '(kind, rid)'],
  ['a ping of another check', { pings: changed(PINGS, 2, { checkId: 'c2' }) }, 'a ping to backup is in the log of c2'],
  ['an unknown ping', { pings: changed(PINGS, 3, { agent: 'stranger' }) }, 'an entry was never sent'],
  ['a wrong count', { pings: without(PINGS, 1) }, 'backup counts 4 pings, and its log has 3'],
  ['a gap in the numbers', { pings: without(PINGS, 1) }, 'number 2 in the log of backup is numbered 3'],
  [
    'a wrong order',
    { pings: [entry(1, 'success', { agent: 'agent 3' }), entry(2, 'start'), entry(3, 'fail', { agent: 'agent 1' })] },
    'number 2 in the log of backup was answered before an earlier entry was sent',
  ],
  [
    'a repeated flip',
    { flips: [...FLIPS.slice(0, 2), flip(3, 'up down', 300, 'fail'), flip(4, 'down up')] },
    'flip 3 of backup starts from up, but the check was down',
  ],
  ['a missing flip number', { flips: changed(FLIPS, 3, { n: 5 }) }, 'flip 5 of backup should have the number 4'],
  ['a flip to the same status', { flips: changed(FLIPS, 1, { newStatus: 'up' }) }, 'flip 2 of backup changes nothing'],
  ['another status', { checks: [{ ...CHECK, status: 'up' }] }, 'backup is up, but its last flip says down'],
  ['a missing flip', { flips: without(FLIPS, 3) }, 'backup counts 4 events, and has 3'],
  [
    'a failure without a flip',
    { flips: without(FLIPS, 1) },
    'flip 2 of backup: up by success at 400, for down by fail',
  ],
  ['a flip at another time', { flips: changed(FLIPS, 1, { createdAt: 301 }) }, 'flip 2 of backup: down by fail at 301'],
  ['another reason', { flips: changed(FLIPS, 1, { reason: 'timeout' }) }, 'flip 2 of backup: down by timeout at 300'],
  ['a time-out without a flip', { flips: without(FLIPS, 3) }, 'flip 4 of backup: none, for down by timeout at 450'],
  ['a missing delivery', { deliveries: without(DELIVERIES, 1) }, 'a missing delivery for c1 2 channel-2'],
  ['a delivery without a flip', { flips: without(FLIPS, 3) }, 'an extra delivery for c1 4 channel-1'],
  ['an incident without a flip', { flips: without(FLIPS, 3) }, 'the incident c1 4 has no flip'],
  ['a missing incident', { incidents: without(INCIDENTS, 0) }, 'the incident c1 2 is missing'],
  [
    'an incident that goes on after its end',
    { incidents: changed(INCIDENTS, 0, { resolvedAt: null }) },
    'the incident c1 2 is from 300 to null, for 300 to 400',
  ],
  [
    'an incident that is looked at after its end',
    { incidents: changed(INCIDENTS, 0, { nextLookAt: 500 }) },
    'the incident c1 2 has ended, and waits for a look',
  ],
  [
    'a delivery for what was not told',
    { incidents: changed(INCIDENTS, 1, { toldAt: null }) },
    'an extra delivery for c1 4 channel-1',
  ],
  [
    'a recovery from what was not told',
    { incidents: changed(INCIDENTS, 0, { toldAt: null }) },
    'an extra delivery for c1 3 channel-2',
  ],
  ['a failed delivery', { deliveries: changed(DELIVERIES, 0, { state: 'failed' as never }) }, 'was given up'],
  ['a pending delivery', { deliveries: changed(DELIVERIES, 1, { state: 'pending' as never }) }, 'is still pending'],
])('%s is reported', (_, over, sentence) => {
  expect(allViolations(over)).toContain(sentence)
})

test('a time-out may still have to be processed until everything is over', () => {
  expect(wrongFlips(DEADLINES, { ...INTACT, flips: without(FLIPS, 3) }, false)).toEqual([])
})

test('a time-out without a deadline is reported', () => {
  expect(allViolations({}, ARRIVALS, [])).toBe('flip 4 of backup: down by timeout at 450, for none')
})

test('a sent delivery must have arrived at its own channel, and its repetition has the same id', () => {
  const [first = '', ...others] = (ARRIVALS.get('channel-1') ?? []).map(({ id }) => id)
  const arrived = (...ids: readonly string[]) =>
    allViolations({}, new Map([...ARRIVALS, ['channel-1', ids.map((id) => ({ id }))]]))
  expect(arrived(first, first, ...others)).toBe('')
  expect(arrived(...others)).toBe(`the delivery ${first} is stored as sent but has not arrived`)
  expect(arrived(first, ...others, 'd2 channel-2')).toContain('has reached another channel')
  expect(arrived(first, 'another', ...others)).toBe('1 alerts arrived that are not stored, such as another')
})

describe('holds', () => {
  /** An incident that was reported later than the others. */
  const told = changed(INCIDENTS, 1, { toldAt: 500 })
  const silence: SilenceFound = {
    ...{ id: 's1', checks: '["c1"]', tags: '[]', startsAt: 200, endsAt: 600 },
    ...{ untilHealthy: 0, createdByKind: 'key', schedule: null, durationSeconds: null },
  }
  const violations = (over: Partial<Snapshot>, silencedAt: readonly (readonly [string, number])[] = [['s1', 460]]) =>
    brokenHolds({ ...INTACT, incidents: told, ...over }, { sent: SENT, silencedAt: new Map(silencedAt) })
  const acknowledged = (detail: object = {}): EventFound => {
    const kept = { incident: 4, until: null, ...detail }
    return { checkId: 'c1', n: 5, createdAt: 460, kind: 'acknowledged', detail: JSON.stringify(kept) }
  }
  const released: EventFound = { ...acknowledged({ from: 'acknowledgement' }), n: 6, createdAt: 470, kind: 'released' }

  test('an alert in spite of a silence, or of somebody who is on it, is reported', () => {
    const words = 'the incident c1 4 was told at 500 in spite of'
    expect(violations({ silences: [silence] })).toEqual([`${words} the silence s1`])
    expect(violations({ silences: [{ ...silence, checks: '[]' }] })).toHaveLength(1)
    expect(violations({ silences: [{ ...silence, untilHealthy: 1, startsAt: 401 }] })).toHaveLength(1)
    expect(violations({ events: [acknowledged()] })).toEqual([`${words} event 5`])
  })

  test('an alert within a window is reported, and none before, between or after windows', () => {
    const minutes = { ...silence, schedule: '1970-01-01 00:01:00\n1970-01-01 00:03:00', durationSeconds: 60 }
    const planned = { ...minutes, endsAt: 240_000_000 }
    const at = (seconds: number, silences: SilenceFound = planned) =>
      violations({ incidents: changed(INCIDENTS, 1, { toldAt: seconds * 1_000_000 }), silences: [silences] })
    const words = (seconds: number) => `the incident c1 4 was told at ${seconds * 1_000_000} in spite of`
    expect(at(60)).toEqual([`${words(60)} window 1 of the silence s1`])
    expect(at(180)).toEqual([`${words(180)} window 2 of the silence s1`])
    expect([59, 120, 179, 240].flatMap((seconds) => at(seconds))).toEqual([])
    expect(at(200, { ...planned, endsAt: 190_000_000 })).toEqual([])
  })

  test.each<[string, Partial<Snapshot>]>([
    ['a silence that has ended', { silences: [{ ...silence, endsAt: 500 }] }],
    ['a silence of another check', { silences: [{ ...silence, checks: '["c2"]' }] }],
    ['a silence of a tag that the check has not', { silences: [{ ...silence, tags: '["odd"]' }] }],
    ['a silence until healthy, when the check was healthy', { silences: [{ ...silence, untilHealthy: 1 }] }],
    ['a silence that was not answered by then', { silences: [{ ...silence, id: 's2' }] }],
    ['an incident that was handed back', { events: [acknowledged(), released] }],
    ['an incident that somebody was on for a time', { events: [acknowledged({ until: '1970-01-01T00:00:00Z' })] }],
    ['another incident that somebody is on', { events: [acknowledged({ incident: 2 })] }],
  ])('%s holds nothing', (_, over) => {
    expect(violations(over)).toEqual([])
  })

  test('a silence of a ping URL holds until it ends, the next request, or a success if it was asked for until then', () => {
    const answered = { kind: 'log', asks: 'silence', answeredAt: -performance.timeOrigin } as const
    const sent = [...SENT, { ...answered, ...entry(5, 'log'), check: 'backup', sentAt: 9 }]
    const asks = (asks: SentPing['asks']) => sent.map((ping) => (ping.agent === 'agent 5' ? { ...ping, asks } : ping))
    const ofPing: SilenceFound = { ...silence, createdByKind: null, endsAt: 60_500 }
    const log = [...PINGS, entry(5, 'log')]
    const violations = (of: readonly SentPing[], pings: readonly PingFound[], silences: readonly SilenceFound[]) =>
      brokenHolds(
        { ...INTACT, pings, silences, incidents: changed(INCIDENTS, 1, { toldAt: 6_000 }) },
        { sent: of, silencedAt: new Map() },
      )
    expect(violations(asks('silence'), log, [ofPing])).toEqual([
      'the incident c1 4 was told at 6000 in spite of the ping 5',
    ])
    expect(violations(asks('unsilence'), log, [])).toEqual([])
    expect(violations(asks('silence'), log, [{ ...ofPing, endsAt: 6_000 }])).toEqual([])
    expect(violations(asks('silence until healthy'), [...log, entry(6, 'success')], [ofPing])).toEqual([])
  })

  test('what nobody was told of, or looked at, or what is open at the end, is reported', () => {
    expect(leftUntold(INTACT, 1_000)).toEqual([])
    expect(leftUntold({ incidents: changed(INCIDENTS, 1, { toldAt: null }) }, 1_000)).toEqual([
      'nobody was told of the incident c1 4',
    ])
    expect(leftUntold({ incidents: changed(INCIDENTS, 1, { nextLookAt: 999 }) }, 1_000)).toEqual([
      'nobody looked at the incident c1 4',
    ])
    expect(leftOpen(INTACT)).toEqual(['the incident c1 4 is open'])
  })

  test('a note that was lost, or that is there twice, is reported', () => {
    const note: EventFound = { ...acknowledged({ text: 'looking' }), kind: 'note' }
    const sent = [{ text: 'looking', isAcknowledged: true }]
    expect(wrongNotes(sent, { events: [note] })).toEqual([])
    expect(wrongNotes(sent, { events: [] })).toEqual(['the note looking is lost'])
    expect(wrongNotes(sent, { events: [note, note] })).toEqual(['the note looking is there twice'])
    expect(wrongNotes([{ text: 'looking', isAcknowledged: false }], { events: [] })).toEqual([])
  })
})

describe('writes', () => {
  const FIELDS = { timeout: 60, tags: '', desc: '', channels: CHANNELS.join(',') }
  const edits: readonly Edit[] = [
    { kind: 'upsert', fields: FIELDS },
    ...(['success', 'fail', 'fail', 'success'] as const).map((action): Edit => ({ kind: 'ping', action })),
    ...[{ kind: 'pause' } as const, { kind: 'pause' } as const],
    { kind: 'ping', action: 'start' },
  ]
  const state = edits.reduce<CheckState | null>((before, edit) => applyEdit(before, edit).after, null)
  const changes = ['new up', 'up down', 'down up', 'up paused', 'paused new']
  const flips = changes.map((change, index) => flip(index + 1, change))
  const check: CheckFound = { ...CHECK, status: 'new', nPings: 5, nEvents: 5 }
  const found: Snapshot = { ...INTACT, checks: [check], pings: [], flips, deliveries: DELIVERIES.slice(0, 4) }
  const violations = (snapshot: Snapshot, over: Partial<Expected> = {}, deleted: readonly string[] = []) =>
    wrongEdits([{ name: 'backup', state, interrupted: null, ...over }], new Set(deleted), snapshot)
  const withCheck = (over: Partial<CheckFound>): Snapshot => ({ ...found, checks: [{ ...check, ...over }] })

  test('a check with all its writes has no violation', () => {
    expect(violations(found)).toEqual([])
  })

  test.each<[string, Snapshot]>([
    ['a field', withCheck({ desc: 'old' })],
    ['a channel', withCheck({ channelIds: 'channel-1' })],
    ['a ping', withCheck({ nPings: 4 })],
    ['a pause', { ...withCheck({ status: 'paused' }), flips: without(flips, 4) }],
    ['a delivery', { ...found, deliveries: DELIVERIES.slice(0, 3) }],
    ['the check', { ...found, checks: [] }],
  ])('%s that was lost is reported', (_, snapshot) => {
    expect(violations(snapshot)).toHaveLength(1)
  })

  test('an interrupted write may be stored entirely or not at all', () => {
    const interrupted: Edit = { kind: 'update', fields: { tags: 'new', desc: 'new' } }
    expect(violations(found, { interrupted })).toEqual([])
    expect(violations(withCheck({ tags: 'new', desc: 'new' }), { interrupted })).toEqual([])
    expect(violations(withCheck({ tags: 'new' }), { interrupted })).toHaveLength(1)
    expect(violations({ ...found, checks: [] }, { interrupted: { kind: 'delete' } })).toEqual([])
  })

  test('a deleted check that exists, an unknown check and a second check of a name are reported', () => {
    expect(violations(found, { state: null })).toHaveLength(1)
    expect(violations(found, {}, ['c1'])).toEqual(['backup was deleted but still exists'])
    expect(violations({ ...found, checks: [check, { ...check, id: 'c2' }] })).toEqual([
      'there are 2 checks named backup',
    ])
    expect(wrongEdits([], new Set(), found)).toEqual(['no client created the check backup'])
  })
})
