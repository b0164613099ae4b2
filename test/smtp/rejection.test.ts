import { expect, test } from 'bun:test'
import { Refusal, type RefusalKind } from '../../src/domain/errors.ts'
import { asRejection, Rejection } from '../../src/smtp/rejection.ts'
import { everyRefusal } from '../support/refusals.ts'

/** Reply to each kind of refusal. If a later attempt may succeed, the code is 4xx, so that a sender keeps the mail. */
const REPLY: Readonly<Record<RefusalKind, number>> = {
  invalid: 550,
  unauthorized: 550,
  forbidden: 550,
  'not-found': 550,
  conflict: 451,
  'too-large': 552,
  'over-limit': 451,
  busy: 451,
  unavailable: 451,
}

function replyTo(error: unknown) {
  const log: string[] = []
  const { responseCode, message } = asRejection(error, (_, line, { reason } = {}) => log.push(`${line}: ${reason}`))
  return { responseCode, message, log }
}

test.each(everyRefusal())(
  '%s has a reply of its kind, and only what the operator has to mend is logged',
  (_, refusal) => {
    expect(replyTo(refusal)).toEqual({
      responseCode: REPLY[refusal.kind] as Rejection['responseCode'],
      message: refusal.message,
      log: refusal.kind === 'unavailable' ? [`mail refused: ${refusal.reason}`] : [],
    })
  },
)

test('of which the log has a line already gets no other', () => {
  const refusal = new Refusal('unavailable', 'later', { reason: 'the disk is full', isLogged: true })
  expect(replyTo(refusal)).toEqual({ responseCode: 451, message: 'later', log: [] })
})

test('a rejection of the mail door stays what it is, and a mistake of ours is told apart', () => {
  const rejection = new Rejection(552, 'too big')
  expect(asRejection(rejection, () => {})).toBe(rejection)
  const { responseCode, message, log } = replyTo(new Error('bug'))
  expect([responseCode, message]).toEqual([451, 'internal error, it has been logged'])
  expect(log).toEqual([expect.stringContaining('unexpected error: Error: bug')])
})
