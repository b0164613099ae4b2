/** The sentence about who was alerted, for a reader in UTC at 12:30. */
import { expect, test } from 'bun:test'
import type { DeliveryEntry, DeliveryState } from '../../../src/domain/alert/delivery.ts'
import { toldSentence } from '../../../src/domain/alert/told.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import type { Instant } from '../../../src/lib/time.ts'
import { at, CHECK_ID } from '../../support/builders.ts'

interface Given {
  readonly state?: DeliveryState
  readonly endedAt?: Instant | null
  readonly nextAttemptAt?: Instant | null
  readonly heldUntil?: Instant | null
  readonly error?: string | null
}

function entry(channelName: string, { state = 'sent', heldUntil = null, ...given }: Given = {}): DeliveryEntry {
  const times = { createdAt: at('12:00'), heldUntil }
  const delivery = { id: 'd', checkId: CHECK_ID, eventN: 1, channelId: 'c', state, attempts: 1, ...times }
  const ended = { endedAt: at('12:00'), nextAttemptAt: null, error: null }
  return {
    delivery,
    status: 'down',
    isOpen: true,
    checkName: 'Job',
    checkPublicId: 'abcd1234',
    channelName,
    channelKind: 'slack',
    ...ended,
    ...given,
  }
}

const says = (told: readonly DeliveryEntry[] | null, isAssigned = true) =>
  sentenceText(
    toldSentence(told, isAssigned, ({ channelName }) => channelName || 'Slack'),
    { now: at('12:30'), tz: 'UTC' },
  )

const failing = { endedAt: null, error: 'status 500' }

test('before a flip, nobody is told yet, or nobody will be', () => {
  expect(says(null)).toBe('No one alerted yet.')
  expect(says(null, false)).toBe('This check alerts no one: it has no integration.')
})

test('a flip without alerts told nobody', () => {
  expect(says([])).toBe('No one was alerted: no integration accepted the alert.')
  expect(says([], false)).toBe('No one was alerted: the check has no integration.')
})

test('those that were told have their time, and share it within a minute', () => {
  expect(says([entry('On-call')])).toBe('Alerted: On-call 12:00.')
  expect(says([entry('On-call'), entry(''), entry('#ops', { endedAt: at('12:01:30') })])).toBe(
    'Alerted: On-call, Slack 12:00, #ops 12:01.',
  )
})

test('of many, five are named', () => {
  expect(says(Array.from('abcdefgh', (name) => entry(name)))).toBe('Alerted: a, b, c, d, e 12:00 and 3 more.')
  expect(says(Array.from('abcdefgh', (name) => entry(name, { state: 'failed', endedAt: null })))).toEndWith(
    'e was not alerted. 3 more were not alerted.',
  )
})

test('those that wait for quiet hours say until when, and after a failure why', () => {
  const held = { state: 'pending', nextAttemptAt: at('17:00'), heldUntil: at('17:00') } as const
  expect(says([entry('b', { ...held, endedAt: null })])).toBe('b has quiet hours until 17:00.')
  expect(says([entry('b', { ...held, ...failing })])).toBe(
    'b has not been reached since 12:00 and has quiet hours until 17:00: ‘status 500’.',
  )
  expect(says([entry('b', { ...held, endedAt: null, nextAttemptAt: at('17:01') })])).toBe('b is being alerted.')
})

test('those that were not alerted say why, and when the next try is', () => {
  const retrying = { state: 'pending', nextAttemptAt: at('12:40'), ...failing } as const
  expect(says([entry('a'), entry('b', retrying)])).toBe(
    'Alerted: a 12:00. b has not been reached since 12:00, next try at 12:40: ‘status 500’.',
  )
  expect(says([entry('b', { ...retrying, nextAttemptAt: null })])).toBe(
    'b has not been reached since 12:00: ‘status 500’.',
  )
  const untried = { state: 'pending', endedAt: null } as const
  expect(says([entry('b', { ...untried, nextAttemptAt: at('12:30') })])).toBe('b is being alerted.')
  expect(says([entry('b', untried)])).toBe('b must get an earlier alert first.')
  expect(says([entry('b', { state: 'failed', ...failing })])).toBe('b was not alerted: ‘status 500’.')
  expect(says([entry('b', { state: 'failed', ...failing, endedAt: at('12:20') })])).toBe(
    'b was not alerted, last tried 12:20: ‘status 500’.',
  )
  const cancelled = { endedAt: at('12:20'), error: 'Cancelled by ann@example.org' }
  expect(says([entry('b', { state: 'failed', ...cancelled })])).toBe(
    'b was not alerted: ‘Cancelled by ann@example.org’.',
  )
})
