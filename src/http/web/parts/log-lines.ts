/** A check's log as a table of events and missing runs, newest first. */
import type { Flip } from '../../../domain/check/flip.ts'
import {
  absentWords,
  flipWords,
  ignoredWords,
  type LineWords,
  latePingWords,
  PING_WORDS,
} from '../../../domain/log/line-words.ts'
import type { ListedEntry } from '../../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../../domain/log/log-timeline.ts'
import type { PingKind } from '../../../domain/ping/signal.ts'
import type { Instant, Temporal } from '../../../lib/time.ts'
import { clockWords, durationWords, exactWords } from '../../../lib/time-words.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { icon } from './icons.ts'
import { stateShape } from './words/states.ts'
import { bdi, shown } from './words/text.ts'

export type LogTableLine = TimelineLine<ListedEntry>

interface LogTableContext {
  readonly now: Instant
  /** IANA name of the time zone in the reader's account */
  readonly tz: string
  /** returns the path of a ping's page, including SITE_ROOT's path */
  readonly hrefOf: (n: number) => string
  /** number of the ping that is open next to the table */
  readonly opened?: number | null
}

/** Renders `<table id=log>`, with a group of rows for each day in the reader's time zone. @param lines log lines, newest first */
export function logTable(lines: readonly LogTableLine[], context: LogTableContext): Html {
  return html`<table class="log" id="log" aria-label="Events"><thead><tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">Last line</th><th scope="col" class="r opt">From</th><th scope="col" class="r">Took</th></tr></thead>
${byDay(lines, context.tz).map((day) => dayGroup(day, context))}</table>`
}

/** The lines for one day in a time zone. */
interface Day {
  readonly day: Temporal.PlainDate
  readonly lines: readonly LogTableLine[]
}

/** Groups lines by day. @param lines log lines, newest first @param tz IANA name of the days' time zone */
function byDay(lines: readonly LogTableLine[], tz: string): Day[] {
  const days: { day: Temporal.PlainDate; lines: LogTableLine[] }[] = []
  for (const line of lines) {
    const day = line.at.toZonedDateTimeISO(tz).toPlainDate()
    const current = days.at(-1)
    if (current?.day.equals(day)) current.lines.push(line)
    else days.push({ day, lines: [line] })
  }
  return days
}

function dayGroup({ day, lines }: Day, context: LogTableContext): Html {
  const today = context.now.toZonedDateTimeISO(context.tz).toPlainDate()
  return html`<tbody><tr class="day"><th colspan="5" scope="rowgroup">${dayWords(day, today)}</th></tr>
${lines.map((line) => row(line, context))}</tbody>
`
}

/** Returns text such as `Today, Tuesday 17 November`, or in another year, `Tuesday 17 November 2025`. */
function dayWords(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const year = day.year === today.year ? undefined : 'numeric'
  const date = day.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year }).replace(',', '')
  const { days } = day.until(today)
  return `${days === 0 ? 'Today, ' : days === 1 ? 'Yesterday, ' : ''}${date}`
}

/** The contents of a row's cells. */
interface Cells {
  readonly look: '' | 't-down' | 't-late' | 'absent'
  readonly shape: Html | null
  readonly what: HtmlValue
  readonly words: HtmlValue
  readonly from?: string
  readonly took?: HtmlValue
  readonly isOpen?: boolean
}

function row(line: LogTableLine, context: LogTableContext): Html {
  const { look, shape, what, words, from = '', took = '', isOpen = false } = cellsOf(line, context)
  const classes = [look, isOpen ? 'open' : ''].filter((each) => each !== '').join(' ')
  return html`<tr${classes !== '' && html` class="${classes}"`}><td>${line.kind !== 'more' && timeOfDay(line.at, context.tz)}</td><td class="what"><span>${shape}${what}</span></td><td class="tail"><span>${words}</span></td><td class="r opt">${from}</td><td class="r">${took}</td></tr>
`
}

function clock(at: Instant, tz: string, smallestUnit: 'second' | 'minute'): string {
  return at.toZonedDateTimeISO(tz).toPlainTime().toString({ smallestUnit })
}

function timeOfDay(at: Instant, tz: string): Html {
  const words = clock(at, tz, 'second')
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(at.epochMilliseconds, tz)}">${words}</time>`
}

function cellsOf(line: LogTableLine, context: LogTableContext): Cells {
  switch (line.kind) {
    case 'ping':
      return pingCells(line.ping, context)
    case 'flip':
      return { ...FLIP_LOOKS[line.flip.newStatus], ...flipWords(line.flip, line.since) }
    case 'missing':
      return { ...ABSENT, ...absentLine(line, context), took: '–' }
    case 'late':
      return { look: 't-late', shape: stateShape('late'), ...absentLine(line, context) }
    case 'more':
      return { ...ABSENT, ...absentLine(line, context), shape: null }
  }
}

function absentLine(line: Parameters<typeof absentWords>[0], { tz }: LogTableContext): LineWords {
  return absentWords(line, (at) => clock(at, tz, 'minute'))
}

const MICROSECONDS = 1_000_000
const ABSENT = { look: 'absent', shape: stateShape('down') } as const

/** The name and icon of each kind of ping. */
export const PING_LOOKS: Readonly<Record<PingKind, { readonly word: string; readonly shape: Html }>> = {
  success: { word: PING_WORDS.success, shape: stateShape('up') },
  fail: { word: PING_WORDS.fail, shape: stateShape('down') },
  start: { word: PING_WORDS.start, shape: stateShape('started') },
  log: { word: PING_WORDS.log, shape: icon('file') },
  ign: { word: PING_WORDS.ign, shape: icon('cross') },
}

const FLIP_LOOKS: Readonly<Record<Flip['newStatus'], Pick<Cells, 'look' | 'shape'>>> = {
  down: { look: 't-down', shape: stateShape('down') },
  up: { look: '', shape: stateShape('up') },
  paused: { look: '', shape: stateShape('paused') },
  new: { look: '', shape: stateShape('new') },
}

function pingCells(ping: ListedEntry, { hrefOf, tz, opened = null }: LogTableContext): Cells {
  const { word, shape } = PING_LOOKS[ping.kind]
  const isOpen = ping.n === opened
  return {
    look: ping.kind === 'fail' ? 't-down' : '',
    shape,
    what: html`<a href="${hrefOf(ping.n)}" data-ping="${ping.n}"${isOpen && html` aria-current="true"`}>${word} #${ping.n}</a>`,
    words: wordsOf(ping, tz),
    from: ping.remoteAddr ?? '',
    took: ping.duration === null ? '' : durationWords(ping.duration / MICROSECONDS),
    isOpen,
  }
}

function wordsOf(ping: ListedEntry, tz: string): HtmlValue {
  const late = latePingWords(ping, (at) => clockWords(at.epochMilliseconds, ping.receivedAt.epochMilliseconds, tz))
  const before = shown([late, ignoredWords(ping)].filter((words) => words !== '').join(': '))
  const body = bodyWords(ping)
  return before === '' || body === '' ? before || body : [before, ': ', body]
}

function bodyWords({ lastLine, isRepeated, exitStatus, droppedBytes }: ListedEntry): HtmlValue {
  if (droppedBytes !== null) return 'the body was dropped'
  if (lastLine !== '') return isRepeated ? html`<span class="muted">${bdi(lastLine)}</span>` : bdi(lastLine)
  return exitStatus === null || exitStatus === 0 ? '' : `exit status ${exitStatus}`
}
