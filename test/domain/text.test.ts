import { expect, test } from 'bun:test'
import { escapeHtml, escapeWithin, oneLine, printable, within } from '../../src/domain/text.ts'

test('printable text keeps its lines and tabs, and nothing else that cannot be seen', () => {
  expect(printable('a\r\nb\tc\u0000\u0007\u001b[1m\u0085\rd')).toBe('a\nb\tc[1md')
  expect(printable('\ud83e')).toBe('\ufffd')
})

test('printable text has nothing that turns the direction of writing', () => {
  expect(printable('a\u061cb\u200ec\u200fd\u202ae\u202ef\u2066g\u2069h')).toBe('abcdefgh')
  expect(printable('שלום עולם, مرحبا, 👩‍🚀 e\u0301')).toBe('שלום עולם, مرحبا, 👩‍🚀 e\u0301')
})

test('a line is one, without blanks at its ends', () => {
  expect(oneLine(' a \r\n\t b\u2028c\n')).toBe('a b c')
})

test('a bounded text is cut between characters, and says that it was cut', () => {
  expect(within('abc', 3)).toBe('abc')
  expect(within('abcd', 3)).toBe('ab…')
  expect(within('🦆🦆🦆', 5)).toBe('🦆🦆…')
})

test('no escape is cut in two', () => {
  expect(escapeWithin('a<<<', 12, escapeHtml)).toBe('a&lt;&lt;…')
})

test('HTML is escaped for text and for attributes', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;')
})
