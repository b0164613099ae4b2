/** Headers as lines of a form, which does not show values that may be secret. */
import { expect, test } from 'bun:test'
import { HIDDEN, headerLines, headerLinesAgain, readHeaderLines } from '../../../src/domain/carrier/header-lines.ts'

const STORED = { Authorization: 'Bearer abc', 'Content-Type': 'text/plain', 'X-Key': 'k' }

test('only values of headers that hold no secret are shown', () => {
  expect(headerLines(STORED)).toBe(`Authorization: ${HIDDEN}\nContent-Type: text/plain\nX-Key: ${HIDDEN}`)
})

test('what is shown reads as what is stored, in any case of the name', () => {
  expect(readHeaderLines(headerLines(STORED), STORED)).toEqual({ headers: STORED, mistake: null })
  expect(readHeaderLines(`x-key: ${HIDDEN}`, STORED)).toEqual({ headers: { 'x-key': 'k' }, mistake: null })
})

test('a line replaces, adds or leaves out a header', () => {
  const { headers } = readHeaderLines('Authorization: Bearer x:y\r\n\r\nAccept:text/html', STORED)
  expect(headers).toEqual({ Authorization: 'Bearer x:y', Accept: 'text/html' })
})

test.each([
  ['Content-Type', 'Write each header in its own line, such as Content-Type: text/plain.'],
  ['two words: x', 'Write each header in its own line, such as Content-Type: text/plain.'],
  ['X-Other:', 'Type the value of X-Other.'],
  [`X-Other: ${HIDDEN}`, 'Type the value of X-Other: none is stored.'],
  [`Authorization: Basic ${HIDDEN}`, 'Type the whole value of Authorization: the stored value is not shown.'],
])('%s is a mistake', (line, words) => {
  expect(readHeaderLines(line, STORED).mistake).toBe(words)
})

test('more than a hundred headers are a mistake, and the rest is not read', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`).join('\n')
  expect(readHeaderLines(lines(100), {}).mistake).toBeNull()
  const { headers, mistake } = readHeaderLines(`${lines(50_000)}\nno header`, {})
  expect(mistake).toBe('Write at most 100 headers.')
  expect(Object.keys(headers)).toHaveLength(101)
})

test('after a mistake, values that may be secrets have to be typed again', () => {
  expect(headerLinesAgain(`Authorization: new\nX-Key: ${HIDDEN}\nAccept: text/html\nnew-token-without-a-name`)).toEqual(
    {
      text: `Authorization:\nX-Key: ${HIDDEN}\nAccept: text/html`,
      lost: ['Authorization'],
    },
  )
})
