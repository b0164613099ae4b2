/** The log as a table. */
import { expect, test } from 'bun:test'
import type { ListedEntry } from '../../../../src/domain/log/log-entry.ts'
import { type LogTableLine, logTable } from '../../../../src/http/web/parts/log-lines.ts'
import { Temporal } from '../../../../src/lib/time.ts'
import { aFlip, aPing, at, NOON } from '../../../support/builders.ts'

function anEntry(given: Partial<ListedEntry>): ListedEntry {
  const { checkId: _, body: __, bodyEnd: ___, ...ping } = aPing()
  return { ...ping, lastLine: '', isRepeated: false, duration: null, ...given }
}
const entry = (given: Partial<ListedEntry>): LogTableLine => {
  const ping = anEntry(given)
  return { kind: 'ping', at: ping.receivedAt, ping }
}

const CONTEXT = { now: NOON, tz: 'UTC', hrefOf: (n: number) => `/log/${n}` }
const tableOf = (lines: readonly LogTableLine[], over: Partial<Parameters<typeof logTable>[1]> = {}) =>
  logTable(lines, { ...CONTEXT, ...over }).text
/** Returns the words of each row. */
const rows = (text: string) =>
  Array.from(text.matchAll(/<tr.*<\/tr>/g), ([row]) =>
    row
      .replaceAll(/<\/t[dh]>/g, '|')
      .replaceAll(/<[^>]+>/g, '')
      .replace(/\|$/, ''),
  ).slice(1)

test('each kind of ping has its word, its number and its link', () => {
  const kinds = ['success', 'fail', 'start', 'log', 'ign'] as const
  const text = tableOf(
    kinds.map((kind, index) => entry({ kind, n: 5 - index, duration: kind === 'fail' ? 18e6 : null })),
  )
  expect(rows(text)).toEqual([
    'Today, Wednesday 4 March',
    '12:00:00|OK #5||192.0.2.7|',
    '12:00:00|Failed #4||192.0.2.7|18 s',
    '12:00:00|Start #3||192.0.2.7|',
    '12:00:00|Log #2||192.0.2.7|',
    '12:00:00|Ignored #1||192.0.2.7|',
  ])
  expect(text).toContain('<a href="/log/4" data-ping="4">Failed #4</a>')
  expect(text).toContain('<tr class="t-down">')
})

test('flips say what happened, why, and after how long', () => {
  const flip = (given: Partial<ReturnType<typeof aFlip>>, since: number | null): LogTableLine => {
    const made = aFlip({ reason: '', ...given })
    return { kind: 'flip', at: made.createdAt, flip: made, since }
  }
  const text = tableOf([
    flip({ newStatus: 'down', reason: 'timeout' }, 60e6),
    flip({ newStatus: 'down', reason: 'fail' }, null),
    flip({ oldStatus: 'down', newStatus: 'up' }, 1_723e6),
    flip({ oldStatus: 'new', newStatus: 'up' }, 5e6),
    flip({ oldStatus: 'paused', newStatus: 'up' }, 3_600e6),
    flip({ newStatus: 'paused' }, 5e6),
    flip({ oldStatus: 'paused', newStatus: 'new' }, 7_200e6),
  ])
  expect(rows(text).slice(1)).toEqual([
    '12:00:00|Went down|no ping within the grace time||',
    '12:00:00|Went down|the job reported a failure||',
    '12:00:00|Went up|after 28 min 43 s||',
    '12:00:00|Went up|monitoring started||',
    '12:00:00|Went up|after a pause of 1 h||',
    '12:00:00|Paused|until it is resumed or pinged||',
    '12:00:00|Resumed|after 2 h||',
  ])
})

test('what did not happen has lines of its own', () => {
  const text = tableOf([
    { kind: 'late', at: at('11:00'), delay: 90 * 60e6 },
    { kind: 'more', at: at('06:10'), count: 1_041, isAtLeast: false },
    { kind: 'more', at: at('06:10'), count: 995, isAtLeast: true },
    { kind: 'missing', at: at('02:00') },
  ])
  expect(rows(text).slice(1)).toEqual([
    '11:00:00|Late|expected here, arrived after 1 h 30 min||',
    '|and 1,041 more until 06:10|||',
    '|and more than 995 more|||',
    '02:00:00|Missing|expected here, no ping arrived||–',
  ])
  expect(text.match(/<tr class="absent">/g)).toHaveLength(3)
})

test('days and times are those of the reader’s zone', () => {
  const lines = [
    entry({ n: 4, receivedAt: at('11:59') }),
    entry({ n: 3, receivedAt: Temporal.Instant.from('2026-03-03T21:59:00Z') }),
    entry({ n: 2, receivedAt: Temporal.Instant.from('2026-03-01T23:00:00Z') }),
    entry({ n: 1, receivedAt: Temporal.Instant.from('2025-12-31T12:00:00Z') }),
  ]
  const days = (tz: string) => rows(tableOf(lines, { tz })).filter((row) => !row.includes('#'))
  expect(days('UTC')).toEqual([
    'Today, Wednesday 4 March',
    'Yesterday, Tuesday 3 March',
    'Sunday 1 March',
    'Wednesday 31 December 2025',
  ])
  expect(days('Asia/Tokyo').slice(0, 2)).toEqual(['Today, Wednesday 4 March', 'Monday 2 March'])
  expect(tableOf(lines, { tz: 'Europe/Riga' })).toContain(
    '<time datetime="2026-03-04T11:59:00Z" title="Wed 4 Mar 2026, 13:59:00 EET (11:59:00 UTC)">13:59:00</time>',
  )
})

test('the last line is text, grey where the run before ended with it; without any, the exit status or what became of the body', () => {
  const words = (given: Partial<ListedEntry>) => rows(tableOf([entry(given)]))[1]?.split('|')[2]
  expect(words({ lastLine: '<img src=x onerror=alert(1)>\u0007' })).toBe('&lt;img src=x onerror=alert(1)&gt;␇')
  const isGrey = (isRepeated: boolean) =>
    tableOf([entry({ lastLine: 'done', isRepeated })]).includes('<span class="muted"><bdi>done</bdi></span>')
  expect([isGrey(true), isGrey(false)]).toEqual([true, false])
  expect([words({ exitStatus: 2 }), words({ exitStatus: 0 })]).toEqual(['exit status 2', ''])
  expect(words({ droppedBytes: 9 })).toBe('the body was dropped')
})

test('the opened ping is marked', () => {
  const text = tableOf([entry({ n: 7 }), entry({ n: 6 })], { opened: 6 })
  expect(text).toContain('<tr class="open">')
  expect(text).toContain('<a href="/log/6" data-ping="6" aria-current="true">OK #6</a>')
  expect(text.match(/aria-current/g)).toHaveLength(1)
})
