import { expect, test } from 'bun:test'
import { isAccepted } from '../../../src/domain/carrier/carriers.ts'

const http = (status: number) =>
  isAccepted('http', { kind: 'answered', status, headers: new Headers(), body: 'not looked at' })

test('an answer by HTTP is a success by its status alone', () => {
  expect([199, 200, 204, 299, 300, 404, 500].filter(http)).toEqual([200, 204, 299])
  expect(isAccepted('http', { kind: 'unreachable', error: 'Connection timed out', permanent: false })).toBe(false)
})

test('an email is accepted when the mail server accepted it', () => {
  expect(isAccepted('mail', { kind: 'accepted', response: '250 OK' })).toBe(true)
  expect(isAccepted('mail', { kind: 'refused', stage: 'message', status: 451, response: '451 later' })).toBe(false)
  expect(isAccepted('mail', { kind: 'unreachable', error: 'Nobody there' })).toBe(false)
})

test('a command succeeds when it exits with 0', () => {
  expect(isAccepted('shell', { kind: 'exited', status: 0 })).toBe(true)
  expect(isAccepted('shell', { kind: 'exited', status: 1 })).toBe(false)
  expect(isAccepted('shell', { kind: 'aborted', error: 'Command timed out' })).toBe(false)
})

test('a call of signal-cli succeeds when the answer has no error', () => {
  expect(isAccepted('signal', { kind: 'answered', result: {} })).toBe(true)
  expect(isAccepted('signal', { kind: 'answered', result: {}, error: null })).toBe(true)
  expect(isAccepted('signal', { kind: 'answered', error: { code: -1 } })).toBe(false)
  expect(isAccepted('signal', { kind: 'unreachable', error: 'Connection failed' })).toBe(false)
})
