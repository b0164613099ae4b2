/** Sentences as HTML and as text. */
import { expect, test } from 'bun:test'
import { sentenceText } from '../../../../../src/domain/words/sentence-text.ts'
import { sentenceHtml } from '../../../../../src/http/web/parts/words/sentence.ts'
import { Temporal } from '../../../../../src/lib/time.ts'

const at = (text: string) => Temporal.Instant.from(text)
const zone = { now: at('2026-11-17T07:42:00Z'), tz: 'Europe/Riga' }

test('a time is a time element of its kind, with its exact time', () => {
  expect(sentenceHtml(['Due ', { clock: at('2026-11-17T01:30:00Z') }, '.'], zone).text).toBe(
    'Due <time datetime="2026-11-17T01:30:00Z" title="Tue 17 Nov 2026, 03:30:00 EET (01:30:00 UTC)" data-relative="clock">03:30</time>.',
  )
})

test.each([
  ['2026-11-16T22:00:00Z', '00:00', 'at 00:00'],
  ['2026-11-16T21:59:00Z', 'yesterday 23:59', 'yesterday at 23:59'],
  ['2026-11-18T21:59:00Z', 'tomorrow 23:59', 'tomorrow at 23:59'],
  ['2026-11-15T12:00:00Z', '15 Nov 14:00', 'on 15 Nov at 14:00'],
  ['2025-07-15T12:00:00Z', '15 Jul 2025', 'on 15 Jul 2025'],
])('%s is "%s" or "%s" in Riga', (time, clock, words) => {
  expect(sentenceText([{ clock: at(time) }], zone)).toBe(clock)
  expect(sentenceText([{ at: at(time) }], zone)).toBe(words)
})

test.each([
  ['2026-11-17T07:41:30Z', '30 s'],
  ['2026-11-17T06:47:10Z', '54 min'],
  ['2026-11-17T02:30:00Z', '5 h 12 min'],
  ['2026-11-17T07:43:00Z', '0 s'],
])('since %s it has lasted %s', (time, words) => {
  expect(sentenceText([{ lasting: at(time) }], zone)).toBe(words)
})

test('durations and times to come are in words', () => {
  const sentence = ['took ', { took: 2_280 }, ', next ', { ago: at('2026-11-17T08:00:30Z') }]
  expect(sentenceText(sentence, zone)).toBe('took 38 min, next in 18 min')
})

test('a duration is one element on a page, which does not break, and plain text elsewhere', () => {
  const whole = (words: string) => `<span class="dur">${words}</span>`
  expect(sentenceHtml([{ took: 90_000 }], zone).text).toBe(whole('1 d 1 h'))
  expect(sentenceText([{ took: 90_000 }], zone)).toBe('1 d 1 h')
  for (const [words, page] of [
    ['Usually: 5 to 6 min.', `Usually: 5 to ${whole('6 min')}.`],
    ['It took 26 min 50 s, 120 ms ago.', `It took ${whole('26 min 50 s')}, ${whole('120 ms')} ago.`],
    ['2 runs in 30 days, 3 hosts, 1 <h>', '2 runs in 30 days, 3 hosts, 1 &lt;h&gt;'],
  ] as const) {
    expect(sentenceHtml([words], zone).text).toBe(page)
    expect(sentenceText([words], zone)).toBe(words)
  }
  expect(sentenceHtml([{ name: '5 min' }, { quote: '1 h' }], zone).text).not.toContain('class')
})

test('what others wrote is escaped, enclosed and visible on pages, and harmless in texts', () => {
  const evil = '<b>\u202e\u0000'
  expect(sentenceHtml(['Last line: ', { quote: evil }], zone).text).toBe('Last line: ‘<bdi>&lt;b&gt;\u202e␀</bdi>’')
  expect(sentenceHtml([{ name: evil }], zone).text).toBe('<bdi>&lt;b&gt;\u202e␀</bdi>')
  expect(sentenceText([{ quote: evil }, ' by ', { name: 'Ann\n' }], zone)).toBe('‘<b>’ by Ann')
})
