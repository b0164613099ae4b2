import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DataDecoder } from '../../src/smtp/data-decoder.ts'

/** Decodes the message and the bytes after it, each byte as a character; `rest` is null until the message has ended. */
function decode(...pieces: readonly string[]): { readonly message: string; readonly rest: string | null } {
  const decoder = new DataDecoder()
  let message = ''
  for (const [index, piece] of pieces.entries()) {
    const { bytes, rest } = decoder.decode(Buffer.from(piece, 'latin1'))
    message += bytes.toString('latin1')
    if (rest !== null) return { message, rest: rest.toString('latin1') + pieces.slice(index + 1).join('') }
  }
  return { message, rest: null }
}

/** Cuts a text at random places, also into single characters. */
const cut = (text: string) =>
  fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 8 }).map((places) => {
    const ends = [...places.sort((one, other) => one - other), text.length]
    return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
  })

describe('a message', () => {
  test.each([
    ['of no line', '.\r\nQUIT', '', 'QUIT'],
    ['of one line', 'a\r\n.\r\n', 'a\r\n', ''],
    ['with dots at the begin of lines', '..\r\n...\r\n..x\r\n.\r\n', '.\r\n..\r\n.x\r\n', ''],
    ['with a dot that nobody doubled', '.x\r\n.\r\n', '.x\r\n', ''],
    ['with dots elsewhere', 'a..\r\nb.\r\n.\r\n', 'a..\r\nb.\r\n', ''],
    ['with bare line feeds', 'a\n..b\n.\r\n.\r\n', 'a\n.b\n.\r\n', ''],
    ['with bare carriage returns', 'a\r.\r\n\r\r\n.\r\n', 'a\r.\r\n\r\r\n', ''],
  ])('%s ends at the line with only a dot', (_, sent, message, rest) => {
    expect(decode(sent)).toEqual({ message, rest })
    expect(decode(...sent)).toEqual({ message, rest })
  })

  test.each(['a\n.\n', 'a\n.\r\n', 'a\r\n.\n', 'a\r.\r', 'a\r\n.\r', 'a\r\n.', '.\n', '..\r\n', 'a\r\n.\r.\r\n'])(
    'is not ended by %j, so that nothing can be smuggled in behind it',
    (sent) => {
      expect(decode(sent).rest).toBeNull()
      expect(decode(...sent).rest).toBeNull()
    },
  )

  test('is unchanged, however it was split on its way', () => {
    const messages = fc
      .array(fc.constantFrom('.', '\r\n', '\n', '\r', 'x', '..\r\n', 'line\r\n'), { maxLength: 40 })
      .map((parts) => `${parts.join('')}\r\n`)
    const sent = messages.chain((message) =>
      cut(`${message.replace(/(^|\n)\./g, '$1..')}.\r\nNOOP\r\n`).map((pieces) => ({ message, pieces })),
    )
    fc.assert(
      fc.property(sent, ({ message, pieces }) => {
        expect(decode(...pieces)).toEqual({ message, rest: 'NOOP\r\n' })
      }),
      { numRuns: 2_000 },
    )
  })

  test('without a dot at the start of a line is not copied', () => {
    const piece = Buffer.from('Subject: s\r\n\r\ntext. more.\r\n')
    expect(new DataDecoder().decode(piece).bytes).toBe(piece)
  })
})
