import { expect, test } from 'bun:test'
import { isTaken } from '../../src/domain/carriers.ts'

const http = (status: number) =>
  isTaken('http', { kind: 'answered', status, headers: new Headers(), body: 'not looked at' })

test('an answer by HTTP is a success by its status alone', () => {
  expect([199, 200, 204, 299, 300, 404, 500].filter(http)).toEqual([200, 204, 299])
  expect(isTaken('http', { kind: 'unreachable', error: 'Connection timed out', permanent: false })).toBe(false)
})

test('a mail is taken when the mail server accepted it', () => {
  expect(isTaken('mail', { kind: 'accepted', response: '250 OK' })).toBe(true)
  expect(isTaken('mail', { kind: 'refused', stage: 'message', status: 451, response: '451 later' })).toBe(false)
  expect(isTaken('mail', { kind: 'unreachable', error: 'Nobody there' })).toBe(false)
})

test('a command has done its work when it exits with 0', () => {
  expect(isTaken('shell', { kind: 'exited', status: 0 })).toBe(true)
  expect(isTaken('shell', { kind: 'exited', status: 1 })).toBe(false)
  expect(isTaken('shell', { kind: 'aborted', error: 'Command timed out' })).toBe(false)
})

test('a call of signal-cli has done its work when the answer has no error', () => {
  expect(isTaken('signal', { kind: 'answered', result: {} })).toBe(true)
  expect(isTaken('signal', { kind: 'answered', result: {}, error: null })).toBe(true)
  expect(isTaken('signal', { kind: 'answered', error: { code: -1 } })).toBe(false)
  expect(isTaken('signal', { kind: 'unreachable', error: 'Connection failed' })).toBe(false)
})
