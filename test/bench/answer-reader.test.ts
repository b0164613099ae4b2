import { describe, expect, test } from 'bun:test'
import { AnswerReader, type ExpectedAnswer, nothingYet } from '../../bench/support/answer-reader.ts'

const PONG: ExpectedAnswer = { bytes: null, end: 'OK' }

function answer(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** What the reader says of each piece, on one connection. */
function verdicts(expected: ExpectedAnswer, pieces: readonly string[]): (boolean | null)[] {
  const [reader, partial] = [new AnswerReader(expected), nothingYet()]
  return pieces.map((piece) => reader.take(partial, Buffer.from(piece)))
}

describe('the reader of a load’s answers', () => {
  test('takes whole answers for right, the ones after the first too', () => {
    const right = answer('200 OK', 'OK')
    expect(verdicts(PONG, [right, right, right])).toEqual([true, true, true])
  })

  test('takes an answer that comes in pieces of any size for one', () => {
    const right = answer('200 OK', 'all is OK')
    for (let cut = 1; cut < right.length; cut += 1) {
      expect(verdicts(PONG, [right.slice(0, cut), right.slice(cut), right])).toEqual([null, true, true])
    }
    expect(verdicts(PONG, [...right]).filter((verdict) => verdict !== null)).toEqual([true])
  })

  test('takes another status or another body for wrong, also where the length is the usual one', () => {
    const right = answer('200 OK', 'OK')
    const others = [answer('503 OK', 'OK'), answer('200 OK', 'NO'), answer('404 Not Found', 'not found')]
    for (const wrong of others) expect(verdicts(PONG, [right, wrong, right])).toEqual([true, false, true])
  })

  test('takes a document of another length for wrong when the length is known', () => {
    const list: ExpectedAnswer = { bytes: 10, end: '}' }
    expect(verdicts(list, [answer('200 OK', '{"a":"bc"}')])).toEqual([true])
    expect(verdicts(list, [answer('200 OK', '{"a":"b"}')])).toEqual([false])
  })

  test('takes more than the answer for wrong', () => {
    expect(verdicts(PONG, [`${answer('200 OK', 'OK')}OK`])).toEqual([false])
  })
})
