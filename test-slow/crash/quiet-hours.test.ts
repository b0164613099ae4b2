/** The judge of quiet hours in the kill suites can fail: an intact record passes, and each fault in it is reported. */
import { expect, test } from 'bun:test'
import { derivedUuid } from '../../src/lib/secrets/derived-uuid.ts'
import { CANCELLED, judgeQuietHours, type QuietEdit, type Received } from '../support/kills/quiet-hours.ts'
import type { CheckFound, DeliveryFound, FlipFound, IncidentFound } from '../support/kills/snapshot.ts'
import type { RoomMessage } from '../support/receivers.ts'

const SECOND = 1_000_000
/** Quiet hours begin about now, and end a minute later. */
const BEGIN = Math.floor(performance.timeOrigin) * 1_000
const END = BEGIN + 60 * SECOND
const EDITS: readonly QuietEdit[] = ['hook', 'room'].map((channelId) => {
  return { channelId, sentAt: BEGIN - 2, answeredAt: BEGIN - 1, windows: [[BEGIN, END]] }
})

const CHECKS = ['c1', 'c2'].map((id) => ({ id, name: `job ${id}` }) as CheckFound)
/** The first check went down and recovered in the quiet hours, the second one is still down. */
const FLIPS = [
  { checkId: 'c1', n: 1, newStatus: 'down' },
  { checkId: 'c1', n: 2, newStatus: 'up' },
  { checkId: 'c2', n: 1, newStatus: 'down' },
] as FlipFound[]
const INCIDENTS = [
  { checkId: 'c1', n: 1, openedAt: BEGIN + 5 * SECOND, resolvedAt: BEGIN + 9 * SECOND },
  { checkId: 'c2', n: 1, openedAt: BEGIN + 7 * SECOND, resolvedAt: null },
] as IncidentFound[]
const SENT = {
  state: 'sent',
  error: null,
  attempts: 1,
  attemptedAt: END + 1,
  endedAt: END + 2,
  heldUntil: END,
} as const
const DROPPED = { state: 'failed', error: CANCELLED, attempts: 0, attemptedAt: null } as const
const DELIVERIES: readonly DeliveryFound[] = FLIPS.flatMap(({ checkId, n: eventN }) => {
  const one = { ...SENT, id: `hook ${checkId} ${eventN}`, checkId, eventN, channelId: 'hook' }
  const other = { ...SENT, id: `room ${checkId} ${eventN}`, checkId, eventN, channelId: 'room' }
  return [checkId === 'c1' ? { ...one, ...DROPPED, heldUntil: eventN === 1 ? END : null } : one, other]
})
const TOGETHER = derivedUuid('digest', ['room c1 1', 'room c1 2', 'room c2 1'].join(' '))
const TEXT = `1 check is DOWN, 1 is UP. This waited for the end of the quiet hours of the integration.

🔴 job c2 is DOWN.
DOWN at 07:00 (UTC): It was late.
https://example.org/c2

🟢 job c1 is UP.
DOWN at 06:58 (UTC): It failed.
UP at 06:59 (UTC): Up again.`
/** @param at in microseconds */
const arrival = (id: string, at = END + 2) => ({ id, at: at / 1_000 - performance.timeOrigin })
const message = (text = TEXT, id = TOGETHER, at = END + 2): RoomMessage => ({ ...arrival(id, at), text })
const HOOK = [arrival('hook c2 1')]

function violations({
  deliveries = DELIVERIES,
  incidents = INCIDENTS,
  edits = EDITS,
  hook = HOOK,
  room = [message()],
  isOver = true,
}: {
  readonly deliveries?: readonly DeliveryFound[]
  readonly incidents?: readonly IncidentFound[]
  readonly edits?: readonly QuietEdit[]
  readonly hook?: Received['alone'] extends ReadonlyMap<string, infer Arrivals> ? Arrivals : never
  readonly room?: readonly RoomMessage[]
  readonly isOver?: boolean
}): string {
  const received = { alone: new Map([['hook', hook]]), rooms: new Map([['room', room]]) }
  const snapshot = { checks: CHECKS, flips: FLIPS, deliveries, incidents }
  return judgeQuietHours(received, edits, snapshot, { isOver, mostInterrupted: 1 }).violations.join('\n')
}

const changed = (id: string, over: Partial<DeliveryFound>) =>
  DELIVERIES.map((delivery) => (delivery.id === id ? { ...delivery, ...over } : delivery))
const openUntil = (resolvedAt: number | null) => INCIDENTS.map((one) => (one.n === 1 ? { ...one, resolvedAt } : one))

test('an intact record has no violations, and a message has the arrivals of its deliveries', () => {
  expect(violations({})).toBe('')
  const received = { alone: new Map(), rooms: new Map([['room', [message()]]]) }
  const snapshot = { checks: CHECKS, flips: FLIPS, deliveries: DELIVERIES, incidents: INCIDENTS }
  const { arrivals, most } = judgeQuietHours(received, EDITS, snapshot, { isOver: true, mostInterrupted: 0 })
  expect(arrivals.get('room')?.map(({ id }) => id)).toEqual(['room c1 1', 'room c2 1', 'room c1 2'])
  expect(most).toBe(3)
})

test.each<[fault: string, Parameters<typeof violations>[0], sentence: string]>([
  ['an alert in quiet hours', { hook: [arrival('hook c2 1', END - SECOND)] }, `until ${END - 20_000}`],
  ['a message in quiet hours', { room: [message(TEXT, TOGETHER, BEGIN + 4 * SECOND)] }, 'in quiet hours from'],
  [
    'a cancelled alert of an incident that is open',
    { incidents: openUntil(null) },
    `hook c1 1 of the incident c1 1 was cancelled at ${END + 2}, although it was open when the last quiet hours`,
  ],
  [
    'a cancelled alert of an incident that ended later',
    { incidents: openUntil(END + 1) },
    'although it was open when the last quiet hours before that ended',
  ],
  ['a cancelled alert that arrived', { hook: [...HOOK, arrival('hook c1 1')] }, 'was cancelled, but it has arrived'],
  [
    'a cancelled alert of a channel without quiet hours',
    { edits: EDITS.slice(1) },
    'although it was open when the last quiet hours before that ended',
  ],
  [
    'an alert that was cancelled in quiet hours',
    { deliveries: changed('hook c1 1', { ...DROPPED, endedAt: END - 1 }) },
    'although it was open when the last quiet hours before that ended',
  ],
  [
    'a cancelled recovery of what was told',
    { deliveries: changed('hook c1 1', { ...SENT, attempts: 2 }) },
    'hook c1 2 of the incident c1 1 was cancelled, but its other alert was not',
  ],
  ['a cancelled alert of a room', { deliveries: changed('room c1 1', DROPPED) }, 'gets all alerts in one message'],
  [
    'an alert that should have been cancelled',
    { deliveries: changed('hook c1 1', SENT) },
    `the alert hook c1 1 was sent, although its incident had ended by ${END}`,
  ],
  [
    'several messages for one end',
    { deliveries: changed('room c2 1', { attemptedAt: END + 9 }) },
    `what waited for room until ${END} was told in 2 messages, for 1`,
  ],
  ['a message without a check', { room: [message(TEXT.replace(/\n\n🟢[\s\S]*/, ''))] }, 'is about 1 checks, for 2'],
  ['a message about another check', { room: [message(TEXT.replace('job c1', 'job c3'))] }, 'does not name job c1'],
  ['a message with another status', { room: [message(TEXT.replace('c1 is UP', 'c1 is DOWN'))] }, 'job c1 is DOWN'],
  ['a message without an alert', { room: [message(TEXT.replace(/\nUP at.*/, ''))] }, 'has 1 alerts of job c1, for 2'],
  [
    'an unknown message',
    { room: [message(), message('🔴 job c1 is DOWN.', 'stranger')] },
    'the message stranger was not repeated about job c1',
  ],
  [
    'two interrupted messages for one kill',
    { room: [message(TEXT, 'one'), message(TEXT, 'two'), message()] },
    '2 messages were sent again with other alerts',
  ],
])('%s is reported', (_, faults, sentence) => {
  expect(violations(faults)).toContain(sentence)
})

test.each<[string, Parameters<typeof violations>[0]]>([
  ['an alert that was under way when quiet hours began', { hook: [arrival('hook c2 1', BEGIN + SECOND)] }],
  [
    'an alert after quiet hours were removed',
    {
      edits: [...EDITS, { channelId: 'hook', sentAt: BEGIN + 5 * SECOND, answeredAt: null, windows: [] }],
      hook: [arrival('hook c2 1', BEGIN + 6 * SECOND)],
    },
  ],
  [
    'an alert that was cancelled after quiet hours were removed',
    {
      edits: [...EDITS, { channelId: 'hook', sentAt: END - 9, answeredAt: null, windows: [] }],
      deliveries: DELIVERIES.map((one) => (one.state === 'failed' ? { ...one, endedAt: END - 1 } : one)),
    },
  ],
  [
    'an alert in quiet hours whose edit was not answered',
    { edits: EDITS.map((edit) => ({ ...edit, answeredAt: null })), hook: [arrival('hook c2 1', END - SECOND)] },
  ],
  [
    'an alert that was tried before it could be cancelled, with its recovery',
    {
      deliveries: DELIVERIES.map((one) =>
        one.checkId === 'c1' && one.channelId === 'hook' ? { ...one, ...SENT, attempts: 3 - one.eventN } : one,
      ),
    },
  ],
  ['a message that was interrupted, and sent again with others', { room: [message(TEXT, 'first'), message()] }],
  ['a message that was repeated', { room: [message(), message(TEXT, TOGETHER, END + 11 * SECOND)] }],
  ['a message that shows some of its checks', { room: [message(TEXT.replace(/🟢[\s\S]*/, '… and 1 more check.'))] }],
  ['an interrupted message, before everything is over', { room: [message(TEXT, 'first')], isOver: false }],
])('%s is no fault', (_, record) => {
  expect(violations(record)).toBe('')
})
