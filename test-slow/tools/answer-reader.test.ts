import { describe, expect, test } from 'bun:test'
import { AnswerReader, type ExpectedAnswer, nothingYet } from '../../bench/support/answer-reader.ts'

const PONG: ExpectedAnswer = { bytes: null, end: 'OK' }

function answer(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Returns the result of the reader for each piece on one connection. */
function read(expected: ExpectedAnswer, pieces: readonly string[]): (boolean | null)[] {
  const [reader, partial] = [new AnswerReader(expected), nothingYet()]
  return pieces.map((piece) => reader.take(partial, Buffer.from(piece)))
}

describe('the reader of a load’s answers', () => {
  test('accepts complete answers, also after the first', () => {
    const right = answer('200 OK', 'OK')
    expect(read(PONG, [right, right, right])).toEqual([true, true, true])
  })

  test('accepts an answer in pieces of any size', () => {
    const right = answer('200 OK', 'all is OK')
    for (let cut = 1; cut < right.length; cut += 1) {
      expect(read(PONG, [right.slice(0, cut), right.slice(cut), right])).toEqual([null, true, true])
    }
    expect(read(PONG, [...right]).filter((result) => result !== null)).toEqual([true])
  })

  test('rejects another status or body, also when the length is the usual one', () => {
    const right = answer('200 OK', 'OK')
    const others = [answer('503 OK', 'OK'), answer('200 OK', 'NO'), answer('404 Not Found', 'not found')]
    for (const wrong of others) expect(read(PONG, [right, wrong, right])).toEqual([true, false, true])
  })

  test('rejects a document of another length when the length is known', () => {
    const list: ExpectedAnswer = { bytes: 10, end: '}' }
    expect(read(list, [answer('200 OK', '{"a":"bc"}')])).toEqual([true])
    expect(read(list, [answer('200 OK', '{"a":"b"}')])).toEqual([false])
  })

  test('rejects bytes after the answer', () => {
    expect(read(PONG, [`${answer('200 OK', 'OK')}OK`])).toEqual([false])
  })
})
