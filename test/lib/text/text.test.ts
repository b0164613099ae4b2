import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  escapeHtml,
  escapeWithin,
  isStorable,
  oneLine,
  printable,
  storable,
  within,
  withoutEscapes,
  withoutEscapesInSteps,
} from '../../../src/lib/text/text.ts'

test('printable text keeps its lines and tabs, and no other invisible characters', () => {
  expect(printable('a\r\nb\tc\u0000\u0007\u001b[1m\u0085\rd')).toBe('a\nb\tc[1md')
  expect(printable('\ud83e')).toBe('\ufffd')
})

test('printable text has no bidirectional controls', () => {
  expect(printable('a\u061cb\u200ec\u200fd\u202ae\u202ef\u2066g\u2069h')).toBe('abcdefgh')
  expect(printable('שלום עולם, مرحبا, 👩‍🚀 e\u0301')).toBe('שלום עולם, مرحبا, 👩‍🚀 e\u0301')
})

test('oneLine gives one line without spaces at its ends', () => {
  expect(oneLine(' a \r\n\t b\u2028c\n')).toBe('a b c')
})

test('a limited text is cut between characters, with an ellipsis', () => {
  expect(within('abc', 3)).toBe('abc')
  expect(within('abcd', 3)).toBe('ab…')
  expect(within('🦆🦆🦆', 5)).toBe('🦆🦆…')
})

test('no escape sequence is cut', () => {
  expect(escapeWithin('a<<<', 12, escapeHtml)).toBe('a&lt;&lt;…')
})

test('HTML is escaped for text and for attributes', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;')
})

describe('a long text as a terminal shows it', () => {
  const PIECE = 100
  const inSteps = (text: string) => {
    const steps = withoutEscapesInSteps(text, PIECE)
    for (let count = 1; ; count += 1) {
      const { done, value } = steps.next()
      if (done) return { shown: value, count }
    }
  }

  test('loses nothing where a step ends', () => {
    const piece = fc.constantFrom(
      'a',
      'bc\b',
      '\n',
      '\r',
      '🦆',
      '\u001b[1m',
      '\u001b]0;title\u0007',
      '\u001b',
      '\u009b3m',
    )
    const line = fc.array(piece, { maxLength: 30 }).map((pieces) => `${pieces.join('').slice(0, PIECE - 1)}\n`)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('')
        expect(inSteps(text).shown).toBe(withoutEscapes(text))
      }),
    )
  })

  test.each([
    ['characters', 'x', 'x'],
    ['characters struck over', 'xy\b', 'x'],
    ['characters of two units', '🦆', '🦆'],
    ['colours', '\u001b[31mx', 'x'],
  ])('is read in steps if all of it is one line of %s', (_, piece, shown) => {
    const { shown: whole, count } = inSteps(`x${piece.repeat(1_000)}`)
    expect(whole.isWellFormed()).toBe(true)
    expect(whole.replaceAll(shown, '')).toMatch(/^x?y*$/)
    expect(count).toBeGreaterThanOrEqual((1_000 * piece.length) / PIECE - 1)
  })

  test('has no backspace that goes back beyond the end of a piece', () => {
    expect(inSteps(`${'x'.repeat(PIECE)}\b\b\by`).shown).toBe(`${'x'.repeat(PIECE)}y`)
  })
})

test('what every database can store is any Unicode text without U+0000', () => {
  for (const text of ['', 'a\u0001\r\n\u007f', '\ufffd\ufffe\uffff', '\u{1f986}']) {
    expect([isStorable(text), storable(text)]).toEqual([true, text])
  }
  for (const [text, stored] of [
    ['a\u0000b', 'ab'],
    ['\ud83e', '\ufffd'],
    ['\udd86\ud83e', '\ufffd\ufffd'],
  ] as const) {
    expect([isStorable(text), storable(text)]).toEqual([false, stored])
  }
})
