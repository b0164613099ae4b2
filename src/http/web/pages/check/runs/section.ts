/**
 * The table of the newest runs. Each row shows the run's time, its result, how early or late it was, its duration, and the last line of its
 * output.
 */
import type { ShownState } from '../../../../../domain/check/shown-check.ts'
import { barScale } from '../../../../../domain/run-list/bar-scale.ts'
import { foldRuns, type RunLine } from '../../../../../domain/run-list/fold.ts'
import { outcomeWords } from '../../../../../domain/run-list/outcome.ts'
import type { ListedRun } from '../../../../../domain/run-list/run-list.ts'
import { SECOND } from '../../../../../domain/units.ts'
import { fromMilliseconds, type Instant } from '../../../../../lib/time.ts'
import { durationWords, roundedWords } from '../../../../../lib/time-words.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import type { ReadRun } from '../../../../../services/overview/run-list.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { timeTag } from '../../../parts/words/clock.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { CheckContext } from '../context.ts'
import { type BarDrawing, runBar } from './bar.ts'

const HEAD = html`<thead><tr><th scope="col">Day</th><th scope="col" class="c-t">Arrived</th><th scope="col" class="c-o">Outcome</th><th scope="col" class="c-b">Due, grace</th><th scope="col" class="c-d">Took</th><th scope="col" class="c-l">Last line</th></tr></thead>`

export function runsSection(page: CheckPage, context: CheckContext): Html {
  const link = { text: 'Open the log', look: 'quiet', isSmall: true, key: 'l' } as const
  return html`<section class="card" id="runs" aria-labelledby="runs-h"><header><h2 id="runs-h">Runs</h2>${linkButton({ ...link, href: context.pageHref('log') })}</header>${body(page, context)}</section>`
}

function body({ listed, view: { check } }: CheckPage, context: CheckContext): Html {
  if (listed.length === 0) {
    return html`<div class="body"><p class="muted">No runs yet. Run the job, or send a ping with “Ping now”.</p></div>`
  }
  const now = context.now.epochMilliseconds
  const grace = check.graceSeconds * SECOND
  const scale = barScale(listed, grace, now)
  const table = { listed, drawing: scale && { scale, grace, now }, context }
  const days = new Set<string>()
  const groups = foldRuns(listed, isAlike).map((line) => group(line, table, days))
  return html`<table class="runs-t" aria-label="Newest runs">${HEAD}${groups}</table>`
}

/** Returns whether two runs are similar enough to be collapsed into a single row. */
function isAlike(run: ReadRun, newer: ReadRun): boolean {
  return (
    run.kind === newer.kind &&
    (run.due === null) === (newer.due === null) &&
    run.exitStatus === newer.exitStatus &&
    run.lastLine === newer.lastLine &&
    (run.arrivedAt === null) === (newer.arrivedAt === null) &&
    run.changes.length === 0
  )
}

interface RunTable {
  readonly listed: readonly ReadRun[]
  /** the drawings' scale; null if no run has a due time */
  readonly drawing: BarDrawing | null
  readonly context: CheckContext
}

/** @param days days that already appear in the table, which shows each day only once */
function group(line: RunLine<ReadRun>, table: RunTable, days: Set<string>): Html {
  if (line.kind === 'run') return html`<tbody>${row(line.run, table, days)}</tbody>\n`
  const rows = line.runs.map((run) => row(run, table, days))
  return html`<tbody class="more"><tr><td colspan="6"><details><summary>${foldWords(line.runs, table.context)}</summary></details></td></tr></tbody>\n<tbody class="folded">${rows}</tbody>\n`
}

/** Returns a string such as `9 more like this, 3 to 12 Nov`. @param runs the runs, newest first */
function foldWords(runs: readonly ReadRun[], { clock }: CheckContext): string {
  const [newest, oldest] = [runs[0], runs.at(-1)].map((run) => fromMilliseconds(cameAt(run)))
  const [from, until] = [oldest, newest].map((at) => (at ? clock.day(at) : ''))
  const [day, ...month] = (from ?? '').split(' ')
  const begin = until?.endsWith(` ${month.join(' ')}`) ? day : from
  const over = from === until ? from : `${begin} to ${until}`
  return `${runs.length} more like this, ${over}`
}

function cameAt(run: ListedRun | undefined): number {
  return run?.ended ?? run?.began ?? 0
}

function row(run: ReadRun, table: RunTable, days: Set<string>): Html {
  const { context, drawing, listed } = table
  const { clock, tz, entryHref } = context
  const isMissing = run.kind === 'missing'
  const at = fromMilliseconds(cameAt(run))
  const day = dayWords(at, context)
  const isSaid = days.has(day)
  days.add(day)
  const time = timeTag(at, clock.time(at), tz)
  const came = isMissing ? '–' : run.n === null ? time : html`<a href="${entryHref(run.n)}">${time}</a>`
  const bar = drawing && runBar(run, overlapping(run, listed), drawing)
  return html`<tr${isMissing && html` class="absent"`}><th scope="row">${isSaid ? html`<span class="sr">${day}</span>` : day}</th><td class="c-t">${came}</td><td class="c-o">${outcome(run)}</td><td class="c-b">${bar}</td>${took(run, context)}<td class="c-l">${changeWords(run, context)}${arrivalWords(run, context)}${lastWords(run)}</td></tr>\n`
}

function dayWords(at: Instant, { clock, now, tz }: CheckContext): string {
  if (clock.isToday(at)) return 'Today'
  const yesterday = now.toZonedDateTimeISO(tz).subtract({ days: 1 }).toInstant()
  return clock.day(at) === clock.day(yesterday) ? 'Yesterday' : clock.day(at)
}

/** Returns the runs that overlap the given run. */
function overlapping(run: ListedRun, runs: readonly ListedRun[]): readonly ListedRun[] {
  if (run.kind === 'missing' || !run.isTimed) return []
  const end = (each: ListedRun) => each.ended ?? Number.POSITIVE_INFINITY
  return runs.filter(
    (other) =>
      other !== run && other.kind !== 'missing' && other.isTimed && other.began < end(run) && end(other) > run.began,
  )
}

const STATES: Readonly<Record<ListedRun['kind'], ShownState>> = {
  ran: 'up',
  slow: 'late',
  late: 'late',
  failed: 'down',
  missing: 'down',
  running: 'started',
}

function outcome(run: ListedRun): Html {
  const state = STATES[run.kind]
  return html`<span class="word ${state}">${stateShape(state)}<span>${outcomeWords(run)}</span></span>`
}

/** Renders the duration rounded to a single unit. The tooltip shows the exact duration. */
function took({ kind, began, ended, isTimed }: ListedRun, { now }: CheckContext): Html {
  const until = ended ?? now.epochMilliseconds
  if (kind === 'missing' || !isTimed) return html`<td class="c-d">–</td>`
  const seconds = Math.max(0, until - began) / SECOND
  return html`<td class="c-d" title="${durationWords(seconds)}">${roundedWords(seconds)}</td>`
}

function changeWords({ changes }: ListedRun, { clock, tz }: CheckContext): Html | null {
  if (changes.length === 0) return null
  const words = changes.map(({ to, at }, index) => {
    const time = timeTag(fromMilliseconds(at), clock.time(fromMilliseconds(at)), tz)
    return html`${index > 0 && ', '}${to === 'down' ? 'went down' : 'recovered'} ${time}`
  })
  return html`<b>${words}</b> `
}

function arrivalWords({ arrivedAt }: ListedRun, { clock, tz }: CheckContext): Html | null {
  if (arrivedAt === null) return null
  const at = fromMilliseconds(arrivedAt)
  return html`<i>its ping arrived late, ${timeTag(at, `${clock.day(at)} ${clock.time(at)}`, tz)}</i> `
}

function lastWords({ kind, lastLine, isRepeated }: ReadRun): HtmlValue {
  if (kind === 'missing') return 'expected here, no ping arrived'
  if (isRepeated) return html`<i>same as the previous run</i>`
  return bdi(lastLine)
}
