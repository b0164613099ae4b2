/** What judges the suite of kills, held against a sound record, and against the same with one thing wrong in it. */
import { describe, expect, test } from 'bun:test'
import { applyEdit, type Edit, type Expected, type Facts, wrongEdits } from '../support/kills/edits.ts'
import type { CheckFound, DeliveryFound, Evidence, FlipFound, PingFound } from '../support/kills/evidence.ts'
import {
  type Arrivals,
  brokenChains,
  type Deadline,
  type SentPing,
  wrongArrivals,
  wrongDeliveries,
  wrongFlips,
  wrongOrder,
  wrongPings,
} from '../support/kills/findings.ts'

const CHANNELS = ['channel-1', 'channel-2'] as const
const BACKUP: CheckFound = {
  id: 'c1',
  name: 'backup',
  tags: '',
  desc: '',
  timeoutSeconds: 60,
  status: 'up',
  nPings: 4,
  nFlips: 4,
  channelIds: CHANNELS.join(','),
}

function entry(n: number, kind: PingFound['kind'], over: Partial<PingFound> = {}): PingFound {
  const rest = { exitStatus: null, rid: null, method: 'GET', body: null }
  return { checkId: 'c1', n, receivedAt: n * 100, kind, agent: `agent ${n}`, ...rest, ...over }
}

function flip(n: number, oldStatus: FlipFound['oldStatus'], newStatus: FlipFound['newStatus']): FlipFound {
  return { checkId: 'c1', n, createdAt: 0, oldStatus, newStatus, reason: '' }
}

// Success, a start, failure, success; then silence, and the last success was sent but its answer is not known.
const PINGS = [
  entry(1, 'success'),
  entry(2, 'start', { rid: 'r', body: 'output' }),
  entry(3, 'fail'),
  entry(4, 'success'),
]
const FLIPS: readonly FlipFound[] = [
  { ...flip(1, 'new', 'up'), createdAt: 100 },
  { ...flip(2, 'up', 'down'), createdAt: 300, reason: 'fail' },
  { ...flip(3, 'down', 'up'), createdAt: 400 },
  { ...flip(4, 'up', 'down'), createdAt: 450, reason: 'timeout' },
]
const DEADLINES: readonly Deadline[] = [{ checkId: 'c1', at: 450 }]
const DELIVERIES: readonly DeliveryFound[] = [2, 3, 4].flatMap((flipN) =>
  CHANNELS.map((channelId) => ({
    id: `d${flipN} ${channelId}`,
    checkId: 'c1',
    flipN,
    channelId,
    state: 'sent' as const,
  })),
)
const SOUND: Evidence = { checks: [{ ...BACKUP, status: 'down' }], pings: PINGS, flips: FLIPS, deliveries: DELIVERIES }
const ARRIVALS: Arrivals = new Map(
  CHANNELS.map((channel) => [channel, DELIVERIES.filter(({ channelId }) => channelId === channel).map(({ id }) => id)]),
)

const SENT: readonly SentPing[] = PINGS.map(({ n, kind, exitStatus, rid, method, agent, body }) => {
  const answeredAt = n === 4 ? null : 2 * n
  return { kind, exitStatus, rid, method, agent, body, check: 'backup', sentAt: 2 * n - 1, answeredAt }
})

const without = <Row>(rows: readonly Row[], index: number) => rows.filter((_, at) => at !== index)
const instead = <Row>(rows: readonly Row[], index: number, over: Partial<Row>) =>
  rows.map((row, at) => (at === index ? { ...row, ...over } : row))

test('nothing is found in a sound record', () => {
  expect(wrongPings(SENT, SOUND)).toEqual([])
  expect(wrongOrder(SENT, SOUND)).toEqual([])
  expect(brokenChains(SOUND)).toEqual([])
  expect(wrongFlips(DEADLINES, SOUND, true)).toEqual([])
  expect(wrongDeliveries(SOUND)).toEqual([])
  expect(wrongArrivals(ARRIVALS, SOUND, { isOver: true })).toEqual([])
})

describe('pings', () => {
  test('an acknowledged ping that is not in the log is lost', () => {
    const findings = wrongPings(SENT, { ...SOUND, pings: without(PINGS, 1) })
    expect(findings).toEqual(['the ping agent 2 to backup was acknowledged and is lost'])
  })

  test('one that was not answered may be there or not', () => {
    expect(wrongPings(SENT, { ...SOUND, pings: without(PINGS, 3) })).toEqual([])
  })

  test.each<[string, readonly PingFound[], string]>([
    ['twice', [...PINGS, entry(5, 'fail', { agent: 'agent 3' })], 'is twice in the logs'],
    ['with another body', instead(PINGS, 1, { body: 'outp' }), 'other than it was sent (body)'],
    ['as another kind, of another run', instead(PINGS, 1, { kind: 'log', rid: null }), '(kind, rid)'],
    ['with another check', instead(PINGS, 2, { checkId: 'c2' }), 'a ping to backup is in the log of c2'],
    ['although nobody sent it', instead(PINGS, 3, { agent: 'stranger' }), 'nobody sent what is in the log of backup'],
  ])('one that is in the log %s is found', (_, pings, words) => {
    expect(wrongPings(SENT, { ...SOUND, pings }).join()).toContain(words)
  })

  test('a gap in the numbers, and a count that is not that of the log', () => {
    const pings = without(PINGS, 1)
    const findings = wrongOrder(SENT, { ...SOUND, pings })
    expect(findings).toContain('backup counts 4 pings, and its log has 3')
    expect(findings).toContain('number 2 in the log of backup is numbered 3')
  })

  test('an order that contradicts the answers', () => {
    const pings = [entry(1, 'success', { agent: 'agent 3' }), entry(2, 'start'), entry(3, 'fail', { agent: 'agent 1' })]
    const findings = wrongOrder(SENT, { ...SOUND, pings })
    expect(findings).toContain('number 2 in the log of backup was answered before one that stands earlier was sent')
  })
})

describe('flips', () => {
  const doubled = [
    ...FLIPS.slice(0, 2),
    { ...flip(3, 'up', 'down'), createdAt: 300, reason: 'fail' as const },
    flip(4, 'down', 'up'),
  ]

  test('a doubled flip breaks the chain, and has no cause', () => {
    expect(brokenChains({ ...SOUND, flips: doubled })).toContain(
      'flip 3 of backup starts from up, and the check was down',
    )
    expect(wrongFlips(DEADLINES, { ...SOUND, flips: doubled }, true)).toEqual([
      'flip 3 of backup: down by fail at 300, for up by success at 400',
    ])
  })

  test.each<[string, Partial<Evidence>, string]>([
    ['a gap', { flips: instead(FLIPS, 3, { n: 5 }) }, 'flip 5 of backup should have the number 4'],
    [
      'a flip to where the check is',
      { flips: instead(FLIPS, 1, { newStatus: 'up' }) },
      'flip 2 of backup changes nothing',
    ],
    ['another status of the check', { checks: [BACKUP] }, 'backup is up, and its last flip says down'],
    ['another count', { flips: without(FLIPS, 3) }, 'backup counts 4 flips, and has 3'],
  ])('%s breaks the chain', (_, over, words) => {
    expect(brokenChains({ ...SOUND, ...over })).toContain(words)
  })

  test.each<[string, readonly FlipFound[]]>([
    ['without a flip', without(FLIPS, 1)],
    ['with a flip of another instant', instead(FLIPS, 1, { createdAt: 301 })],
    ['with a flip for another reason', instead(FLIPS, 1, { reason: 'timeout' })],
  ])('a failure %s is found', (_, flips) => {
    expect(wrongFlips(DEADLINES, { ...SOUND, flips }, true)).toHaveLength(1)
  })

  test('silence may still have to be noticed, until all is over', () => {
    const evidence = { ...SOUND, flips: without(FLIPS, 3) }
    expect(wrongFlips(DEADLINES, evidence, false)).toEqual([])
    expect(wrongFlips(DEADLINES, evidence, true)).toEqual(['flip 4 of backup: none, for down by timeout at 450'])
  })

  test('a silence that nobody kept is found', () => {
    expect(wrongFlips([], SOUND, true)).toEqual(['flip 4 of backup: down by timeout at 450, for none'])
  })
})

describe('alerts', () => {
  test('a flip without its delivery, and a delivery without its flip', () => {
    expect(wrongDeliveries({ ...SOUND, deliveries: without(DELIVERIES, 1) })).toEqual([
      'no delivery is owed for c1 2 channel-2',
    ])
    expect(wrongDeliveries({ ...SOUND, flips: without(FLIPS, 3) })).toHaveLength(2)
  })

  test('a delivery that is owed twice', () => {
    const deliveries = [...DELIVERIES, { ...DELIVERIES[0], id: 'another' } as DeliveryFound]
    expect(wrongDeliveries({ ...SOUND, deliveries })).toHaveLength(1)
  })

  const arrivals = (first: readonly string[]): Arrivals => new Map([...ARRIVALS, ['channel-1', first]])
  const [one = '', ...others] = ARRIVALS.get('channel-1') ?? []

  test('one that stands as sent and has not arrived', () => {
    expect(wrongArrivals(arrivals(others), SOUND, { isOver: false })).toEqual([
      `the delivery ${one} stands as sent and has not arrived`,
    ])
  })

  test('one that is sent again keeps its id: another one is owed by nothing', () => {
    expect(wrongArrivals(arrivals([one, one, ...others]), SOUND, { isOver: true })).toEqual([])
    expect(wrongArrivals(arrivals([one, 'another', ...others]), SOUND, { isOver: true })).toEqual([
      '1 alerts came that nothing owes, as another',
    ])
    expect(wrongArrivals(arrivals([one, 'another', ...others]), SOUND, { isOver: true, mostUnknown: 1 })).toEqual([])
  })

  test('one that came to another receiver', () => {
    expect(wrongArrivals(arrivals([one, ...others, 'd2 channel-2']), SOUND, { isOver: true })).toHaveLength(1)
  })

  test('one that was given up, and one that is owed when all is over', () => {
    const deliveries = instead(instead(DELIVERIES, 0, { state: 'failed' }), 1, { state: 'pending' })
    expect(wrongArrivals(ARRIVALS, { deliveries }, { isOver: false })).toHaveLength(1)
    expect(wrongArrivals(ARRIVALS, { deliveries }, { isOver: true })).toHaveLength(2)
  })
})

describe('writes', () => {
  const WISH = { timeout: 60, tags: '', desc: '', channels: CHANNELS.join(',') }
  const edits: readonly Edit[] = [
    { kind: 'upsert', wish: WISH },
    ...(['success', 'fail', 'fail', 'success'] as const).map((action): Edit => ({ kind: 'ping', action })),
    { kind: 'pause' },
    { kind: 'pause' },
    { kind: 'ping', action: 'start' },
  ]
  const facts: Facts | null = edits.reduce<Facts | null>((before, edit) => applyEdit(before, edit).after, null)
  const flips = [
    flip(1, 'new', 'up'),
    flip(2, 'up', 'down'),
    flip(3, 'down', 'up'),
    flip(4, 'up', 'paused'),
    flip(5, 'paused', 'new'),
  ]
  const check: CheckFound = { ...BACKUP, status: 'new', nPings: 5, nFlips: 5 }
  const found: Evidence = { checks: [check], pings: [], flips, deliveries: DELIVERIES.slice(0, 4) }
  const expected = (over: Partial<Expected> = {}): Expected[] => [{ name: 'backup', facts, underWay: null, ...over }]
  const findings = (evidence: Evidence, over?: Partial<Expected>, deleted: readonly string[] = []) =>
    wrongEdits(expected(over), new Set(deleted), evidence)

  test('a check is as its writes and pings have made it', () => {
    expect(findings(found)).toEqual([])
  })

  test.each<[string, Evidence]>([
    ['a field', { ...found, checks: [{ ...check, desc: 'as before' }] }],
    ['an assignment', { ...found, checks: [{ ...check, channelIds: 'channel-1' }] }],
    ['a ping', { ...found, checks: [{ ...check, nPings: 4 }] }],
    ['a pause', { ...found, checks: [{ ...check, status: 'paused' }], flips: without(flips, 4) }],
    ['a delivery', { ...found, deliveries: DELIVERIES.slice(0, 3) }],
    ['the check', { ...found, checks: [] }],
  ])('%s that was lost is found', (_, evidence) => {
    expect(findings(evidence)).toHaveLength(1)
  })

  test('a write under way has come through as a whole, or not at all', () => {
    const underWay: Edit = { kind: 'update', wish: { tags: 'new', desc: 'new' } }
    const with_ = (over: Partial<CheckFound>): Evidence => ({ ...found, checks: [{ ...check, ...over }] })
    expect(findings(found, { underWay })).toEqual([])
    expect(findings(with_({ tags: 'new', desc: 'new' }), { underWay })).toEqual([])
    expect(findings(with_({ tags: 'new' }), { underWay })).toHaveLength(1)
    expect(findings({ ...found, checks: [] }, { underWay: { kind: 'delete' } })).toEqual([])
  })

  test('what was deleted stays deleted, and a name is there once', () => {
    expect(findings(found, { facts: null })).toHaveLength(1)
    expect(findings(found, {}, ['c1'])).toEqual(['backup was deleted and is back'])
    expect(findings({ ...found, checks: [check, { ...check, id: 'c2' }] })).toEqual(['there are 2 checks named backup'])
    expect(wrongEdits([], new Set(), found)).toEqual(['nobody made the check backup'])
  })
})
