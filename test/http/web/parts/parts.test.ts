/** Small parts: states, texts of strangers, toasts, times. */
import { describe, expect, test } from 'bun:test'
import { SHOWN_STATES } from '../../../../src/domain/check/shown-check.ts'
import { alertNote, note } from '../../../../src/http/web/parts/notes.ts'
import { readDone, toast, withDone } from '../../../../src/http/web/parts/toast.ts'
import { STATE_WORDS, stateShape } from '../../../../src/http/web/parts/words/states.ts'
import { bdi } from '../../../../src/http/web/parts/words/text.ts'
import { relativeTime } from '../../../../src/http/web/parts/words/times.ts'
import { Temporal } from '../../../../src/lib/time.ts'
import {
  dateWords,
  durationWords,
  exactWords,
  knownZone,
  relativeWords,
  type TimeKind,
  timeWords,
} from '../../../../src/lib/time-words.ts'

test('each state has its own word and its own shape', () => {
  const shapes = SHOWN_STATES.map((state) => stateShape(state).text.replace(/^<svg[^>]*>/, ''))
  expect(new Set(shapes).size).toBe(SHOWN_STATES.length)
  expect(new Set(SHOWN_STATES.map((state) => STATE_WORDS[state])).size).toBe(SHOWN_STATES.length)
})

test('a name stands apart from the words around it, and its control characters are seen', () => {
  expect(bdi('a\u202eb').text).toBe('<bdi>a\u202eb</bdi>')
  expect(bdi('\0\x07\n\x7f\x9b<b>\ud800').text).toBe('<bdi>␀␇␊␡�&lt;b&gt;�</bdi>')
})

describe('toasts', () => {
  const told = (search: string) => readDone(new URL(`http://x/p/books/checks${search}`))

  test('only words of the table can be in one', () => {
    expect(told('?q=x&done=saved')).toEqual({
      code: 'saved',
      count: 1,
      left: 0,
      undo: null,
      undoIn: null,
      back: '/p/books/checks?q=x',
    })
    for (const code of ['', 'Saved.', 'toString', '__proto__', '<b>']) expect(told(`?done=${code}`)).toBeNull()
    expect(told('')).toBeNull()
  })

  test('the address before it says what was done, to how many, and how to undo it', () => {
    const done = { code: 'checks-paused', count: 3, left: 2, undo: 'a-token_1' } as const
    const { search } = new URL(withDone('/p/books/checks?tag=db', done), 'http://x')
    expect(told(search)).toEqual({ ...done, undoIn: null, back: '/p/books/checks?tag=db' })
    expect(told('?done=checks-paused&done-n=1e99&done-left=-1&undo=%22%3E')).toMatchObject({
      count: 1,
      left: 0,
      undo: null,
    })
  })

  test('undo is a button of a form, on pages of a project', () => {
    const done = { code: 'checks-paused', count: 1, left: 0, undo: 'token', back: '/p/books/checks?q="' } as const
    const text = toast(done, '/watch/p/books/undo').text
    expect(text).toContain('role="status"')
    expect(text).toContain('<p>1 check paused.</p><form method="post" action="/watch/p/books/undo">')
    expect(text).toContain('name="back" value="/p/books/checks?q=&quot;"')
    expect(toast(done, null).text).not.toContain('<form')
  })

  test('what an error stopped half way stays in the page, with its undo', () => {
    const done = { code: 'checks-paused', count: 25, left: 35, undo: 'token', back: '/' } as const
    const text = toast(done, '/p/books/undo').text
    expect(text).toContain(
      '<p>25 checks paused. Then an error occurred: 35 checks are unchanged. The server log contains the reason.</p><form',
    )
    expect(text).not.toContain('data-toast')
  })
})

test('an alert is said at once, a note is not', () => {
  expect(alertNote('<x>').text).toContain('role="alert"')
  expect(note('late', '<x>').text).not.toContain('role=')
  expect(note('late', '<x>').text).toContain('&lt;x&gt;')
})

test('the script writes times in the zone of the account, if the browser knows it', () => {
  expect(knownZone('Asia/Kathmandu')).toBe('Asia/Kathmandu')
  expect([knownZone('Mars/Olympus'), knownZone(undefined)]).toEqual([undefined, undefined])
})

describe('durations', () => {
  test.each([
    [null, '–'],
    [0, '0 ms'],
    [0.25, '250 ms'],
    [3, '3 s'],
    [712, '11 min 52 s'],
    [720, '12 min'],
    [24_480, '6 h 48 min'],
    [86_400, '1 d'],
    [190_800, '2 d 5 h'],
  ])('%p s is %s', (seconds, words) => {
    expect(durationWords(seconds)).toBe(words)
  })
})

describe('times', () => {
  const NOW = Date.parse('2026-11-17T07:42:00Z')
  const zone = 'Europe/Riga'
  test.each([
    [0, 'now'],
    [59, '59 s ago'],
    [120, '2 min ago'],
    [27_000, '7 h 30 min ago'],
    [86_400, 'yesterday'],
    [259_200, '3 days ago'],
    [2_592_000, '18 Oct 2026'],
    [-180, 'in 3 min'],
    [-57_600, 'in 16 h'],
    [-86_400, 'tomorrow'],
  ])('%p s before now is %s', (seconds, words) => {
    expect(relativeWords(NOW - seconds * 1000, NOW, zone)).toBe(words)
  })

  test.each([
    [0, 'now', '0 s'],
    [40, '40 s ago', '40 s'],
    [27_000, '7 h ago', '7 h'],
    [86_400, 'yesterday', '1 d'],
    [190_800, '2 days ago', '2 d'],
    [8_208_000, '14 Aug 2026', '95 d'],
    [-58_600, 'in 16 h', '0 s'],
  ])('have one unit in a narrow column: %p s before now is %s, or %s', (seconds, near, since) => {
    const words = (kind: TimeKind) => timeWords(kind, NOW - seconds * 1000, NOW, zone)
    expect([words('near'), words('since')]).toEqual([near, since])
  })

  test('count days by the calendar of the zone', () => {
    // 47 hours, but two calendar days in Riga.
    expect(relativeWords(Date.parse('2026-11-15T21:30:00Z'), Date.parse('2026-11-17T20:30:00Z'), zone)).toBe(
      '2 days ago',
    )
    expect(relativeWords(Date.parse('2026-11-15T21:30:00Z'), Date.parse('2026-11-17T20:30:00Z'), 'UTC')).toBe(
      '2 days ago',
    )
    expect(relativeWords(Date.parse('2026-11-15T22:30:00Z'), Date.parse('2026-11-17T21:30:00Z'), zone)).toBe(
      'yesterday',
    )
  })

  test('are exact in the zone and in UTC, across a change of clocks', () => {
    expect(exactWords(NOW, zone)).toBe('Tue 17 Nov 2026, 09:42:00 EET (07:42:00 UTC)')
    expect(exactWords(Date.parse('2026-10-25T00:30:00Z'), zone)).toContain('03:30:00')
    expect(exactWords(Date.parse('2026-10-25T01:30:00Z'), zone)).toContain('03:30:00')
    expect(exactWords(NOW, 'UTC')).toBe('Tue 17 Nov 2026, 07:42:00 UTC')
    expect(dateWords(Date.parse('2026-11-16T23:00:00Z'), zone)).toBe('17 Nov 2026')
  })

  test('say both to browsers, which keep them up to date', () => {
    const now = Temporal.Instant.fromEpochMilliseconds(NOW)
    expect(relativeTime(now.subtract({ milliseconds: 120_500 }), now, zone).text).toBe(
      '<time datetime="2026-11-17T07:39:59Z" title="Tue 17 Nov 2026, 09:39:59 EET (07:39:59 UTC)" data-relative>2 min ago</time>',
    )
  })
})
