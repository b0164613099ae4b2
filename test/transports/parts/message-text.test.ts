/** URLs in user input stay unchanged, and the text around them is escaped. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { escapeAroundUrls, escapeMarkdown, splitAtUrls } from '../../../src/transports/parts/message-text.ts'
import { processorMs } from '../../support/processor-time.ts'

const urlsIn = (text: string) => splitAtUrls(text).flatMap((piece) => (piece.isUrl ? [piece.text] : []))

describe('an address', () => {
  test.each([
    ['see https://wiki.test/run_books/a_b?x=1&y=%20#top.', ['https://wiki.test/run_books/a_b?x=1&y=%20#top']],
    ['HTTP://wiki.test:8080/~ops/, then', ['HTTP://wiki.test:8080/~ops/']],
    ['(https://wiki.test/Cron_(job))', ['https://wiki.test/Cron_(job)']],
    ['https://wiki.test/ü/日本', ['https://wiki.test/ü/日本']],
    [
      '[a](https://a.test), <https://b.test> and "https://c.test"',
      ['https://a.test', 'https://b.test', 'https://c.test'],
    ],
    ['**https://a.test** `https://b.test`', ['https://a.test', 'https://b.test']],
    ['https://a.test?! https://b.test:', ['https://a.test', 'https://b.test']],
    ['https://a.test/?x=1&y=2&amp;z and https://b.test/&#42; @', ['https://a.test/?x=1&y=2', 'https://b.test/']],
    ['https:// http:/x ftp://x.test xhttps://x.test', []],
  ])('is found in %j', (text, urls) => expect(urlsIn(text)).toEqual(urls))
})

describe('a text with URLs', () => {
  const escaped = (text: string, limit = 1000) => escapeAroundUrls(text, limit, escapeMarkdown)

  test('is escaped, the URLs are not', () => {
    expect(escaped('*see* https://wiki.test/a_b, c_d')).toBe('\\*see\\* https://wiki.test/a_b, c\\_d')
  })

  test.each([
    ['<https://a.test>', '\\<https://a.test \\>'],
    ['**https://a.test**', '\\*\\*https://a.test \\*\\*'],
    ['(https://a.test)', '(https://a.test)'],
  ])('keeps its escapes out of them: %s', (text, expected) => expect(escaped(text)).toBe(expected))

  test('is cut before a URL that does not fit', () => {
    expect(escaped('a https://wiki.test/x', 21)).toBe('a https://wiki.test/x')
    expect(escaped('a https://wiki.test/x', 20)).toBe('a …')
    expect(escaped('a https://wiki.test/x b', 22)).toBe('a https://wiki.test/x…')
  })

  test('is never longer than its limit, and loses nothing that fits', () => {
    const word = fc.constantFrom('*', 'a', ' ', '🎉', '\n', 'https://wiki.test/a_b', '(', ')', '>')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (words, limit) => {
        const text = words.join('')
        expect(
          splitAtUrls(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
        const cut = escaped(text, limit)
        expect(cut.length).toBeLessThanOrEqual(limit)
        const whole = escaped(text)
        expect(cut === whole || (cut.endsWith('…') && whole.startsWith(cut.slice(0, -1)))).toBe(true)
        for (const url of urlsIn(cut)) expect(urlsIn(text)).toContain(url)
      }),
    )
  })

  test('of a megabyte is escaped quickly', () => {
    const startedAt = processorMs()
    for (const part of ['https://', 'https://a(', 'http', '(', 'https://a.', 'https://((']) {
      expect(escaped(part.repeat(1_000_000 / part.length), 500).length).toBeLessThanOrEqual(500)
    }
    expect(processorMs() - startedAt).toBeLessThan(20_000)
  })
})
