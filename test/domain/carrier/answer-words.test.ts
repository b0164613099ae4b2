import { describe, expect, test } from 'bun:test'
import { answerWords } from '../../../src/domain/carrier/answer-words.ts'
import { maskerOf } from '../../../src/domain/carrier/mask-secrets.ts'

describe('the answer in words', () => {
  test('of a web server is its status, some headers and the beginning of its body, without secrets', () => {
    const headers = new Headers({
      'content-type': 'text/plain',
      'retry-after': '240',
      'set-cookie': 'a=b',
      location: '/hook/tok-3n',
    })
    const answer = { kind: 'answered', status: 429, headers, body: `tok-3n is slow\u0000${'x'.repeat(100)}` } as const
    expect(answerWords('http', answer, maskerOf(['tok-3n']), 20)).toEqual({
      status: '429 Too Many Requests',
      headers: [
        ['retry-after', '240'],
        ['content-type', 'text/plain'],
        ['location', '/hook/••••'],
      ],
      body: '•••• is slowxxxxxxx…',
    })
  })

  test('of a rare status is its number', () => {
    const answer = { kind: 'answered', status: 599, headers: new Headers(), body: '' } as const
    expect(answerWords('http', answer, maskerOf([]), 20)).toEqual({ status: '599', headers: [], body: '' })
  })

  test('of a mail server is its line', () => {
    const plain = { headers: [], body: '' }
    const accepted = { kind: 'accepted', response: '250 2.0.0 queued as 4B2F1' } as const
    expect(answerWords('mail', accepted, maskerOf([]), 20)).toEqual({ ...plain, status: accepted.response })
    const refused = { kind: 'refused', stage: 'recipient', status: 550, response: '550 no such user' } as const
    expect(answerWords('mail', refused, maskerOf([]), 20)).toEqual({ ...plain, status: refused.response })
  })

  test('of a command is its exit status, and of signal-cli its result or its error', () => {
    expect(answerWords('shell', { kind: 'exited', status: 3 }, maskerOf([]), 20)?.status).toBe('exit status 3')
    expect(answerWords('signal', { kind: 'answered', result: { a: 1 } }, maskerOf([]), 20)).toMatchObject({
      body: '{"a":1}',
    })
    expect(answerWords('signal', { kind: 'answered' }, maskerOf([]), 20)).toMatchObject({
      status: 'accepted',
      body: '',
    })
    const error = { kind: 'answered', error: { message: 'to +37112345' } } as const
    expect(answerWords('signal', error, maskerOf(['+37112345']), 40)).toMatchObject({
      status: 'refused',
      body: '{"message":"to ••••"}',
    })
  })

  test('is missing if there was none', () => {
    const error = 'Connection failed'
    expect(answerWords('http', { kind: 'unreachable', error, permanent: false }, maskerOf([]), 20)).toBeNull()
    expect(answerWords('mail', { kind: 'unreachable', error }, maskerOf([]), 20)).toBeNull()
    expect(answerWords('shell', { kind: 'aborted', error }, maskerOf([]), 20)).toBeNull()
    expect(answerWords('signal', { kind: 'unreachable', error }, maskerOf([]), 20)).toBeNull()
  })
})
