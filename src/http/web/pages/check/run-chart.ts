/** The chart of a check's last runs, drawn on the server, and a table with the same data. */

import { type DurationRange, isSlow, type UsualDuration } from '../../../../domain/check/usual-duration.ts'
import type { RecentRun } from '../../../../domain/log/recent-runs.ts'
import { upperMedian } from '../../../../lib/figures/statistics.ts'
import { type Instant, microsecondsBetween } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import { Html, html } from '../../html.ts'
import { type Clock, timeTag } from '../../parts/words/clock.ts'
import { wholeDurations } from '../../parts/words/durations.ts'
import { counted } from '../../parts/words/text.ts'
import { type Axis, durationAxis } from './chart-axis.ts'

export interface RunChart {
  /** at most the last 30 runs, newest last */
  readonly runs: readonly RecentRun[]
  /** usual duration of a run; null if too few durations are known */
  readonly usual: UsualDuration | null
  /** maximum allowed duration of a run, in microseconds */
  readonly longest: number
  readonly clock: Clock
  /** the reader's IANA time zone */
  readonly tz: string
  /** returns the path of a log entry, including the SITE_ROOT path prefix */
  readonly entryHref: (n: number) => string
  /** returns the URL of the log up to an instant */
  readonly logHref: (until: Instant) => string
}

const SECOND = 1_000_000
const DAY = 86_400 * SECOND

/** Number of slots for runs. The axis is to the right of the slots. */
const SLOTS = 30
const SLOT = 23.4
const FIRST = 12
const RIGHT = 716
const TOP = 20
const BASE = 160
const LABELS_EVERY = 7
/** Draw the run limit only if the longest duration is at least this fraction of the limit. Otherwise, the bars would be too short. */
const WORTH_DRAWING = 0.4

const KINDS = {
  ok: { path: 'ok', words: 'ok' },
  slow: { path: 'lt', words: 'slow' },
  late: { path: 'lt', words: 'late' },
  failed: { path: 'fl', words: 'failed' },
  missing: { path: 'ms', words: 'missing' },
  running: { path: 'rn', words: 'running' },
  paused: { path: 'ps', words: 'paused' },
} as const

type Kind = keyof typeof KINDS

interface Slot extends RecentRun {
  readonly look: Kind
  /** the run's label, such as `17 Nov: missing, no ping` */
  readonly name: string
  readonly href: string | null
  /** horizontal center of the slot */
  readonly x: number
}

export function runChart(chart: RunChart): Html {
  const { usual } = chart
  const slots = slotsOf(chart)
  const axis = axisOf(chart)
  const hasLongest = axis !== null && axis.top >= chart.longest
  return html`<svg class="runs" viewBox="0 0 760 196" preserveAspectRatio="xMaxYMid slice" role="group" aria-label="${finding(slots)}">${axis && grid(axis)}${
    axis && usual && band(axis, usual)
  }${hasLongest && html`<path class="max" d="M0 ${y(axis, chart.longest)}H${RIGHT}"/>`}${bars(slots, axis)}<path class="grid" d="M0 ${BASE + 0.5}H${RIGHT}"/>${labels(slots, chart)}${slots.map(hot)}</svg>
${legend(slots, usual !== null && axis !== null, hasLongest ? chart.longest : null)}`
}

export function runTable(chart: RunChart): Html {
  const rows = slotsOf(chart)
    .toReversed()
    .map((slot) => {
      const { at, look, href, duration } = slot
      const when = at === null ? 'earlier' : timeTag(at, `${chart.clock.day(at)}, ${chart.clock.time(at)}`, chart.tz)
      const words = href === null ? KINDS[look].words : html`<a href="${href}">${KINDS[look].words}</a>`
      return html`<tr><th scope="row">${when}</th><td>${words}</td><td>${wholeDurations(durationWords(duration === null ? null : duration / SECOND))}</td></tr>\n`
    })
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Last runs as a table"><table class="table"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Took</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function slotsOf({ runs, usual, clock, entryHref, logHref }: RunChart): readonly Slot[] {
  const isDaily = typicalGap(runs) > 0.8 * DAY
  return runs.slice(-SLOTS).map((run, index, shown) => {
    const { kind, at, n, duration } = run
    const look = kind === 'ok' && duration !== null && isSlow(duration, usual) ? 'slow' : kind
    const when = at === null ? 'Earlier' : isDaily ? clock.day(at) : `${clock.day(at)}, ${clock.time(at)}`
    const href = n !== null ? entryHref(n) : kind === 'missing' && at !== null ? logHref(at) : null
    const x = round(FIRST + (SLOTS - shown.length + index) * SLOT)
    return { ...run, look, name: `${when}: ${whatWords(look, duration)}`, href, x }
  })
}

function whatWords(look: Kind, duration: number | null): string {
  const took = duration === null ? null : durationWords(duration / SECOND)
  if (look === 'missing') return 'missing, no ping'
  if (look === 'slow') return `took ${took}, longer than usual`
  if (took === null) return KINDS[look].words
  return look === 'running' ? `running for ${took}` : `${KINDS[look].words}, ${took}`
}

/** Returns a string such as `Last 30 runs: 2 missing, 1 failed`. */
function finding(slots: readonly Slot[]): string {
  const number = (look: Kind) => slots.filter((slot) => slot.look === look).length
  const parts = (['missing', 'failed', 'late', 'slow', 'running'] as const).flatMap((look) =>
    number(look) === 0 ? [] : [`${number(look)} ${KINDS[look].words}`],
  )
  return `Last ${counted(slots.length, 'run', 'runs')}: ${parts.length === 0 ? 'all ok' : parts.join(', ')}`
}

/** Returns the duration axis; null if no duration is known. */
function axisOf({ runs, usual, longest }: RunChart): Axis | null {
  const durations = runs.flatMap(({ duration }) => (duration === null ? [] : [duration]))
  const highest = Math.max(0, usual?.high ?? 0, ...durations)
  if (highest === 0) return null
  return durationAxis(highest >= WORTH_DRAWING * longest ? Math.max(highest, longest) : highest)
}

function y({ top }: Axis, duration: number): number {
  return round(BASE - (Math.min(duration, top) / top) * (BASE - TOP))
}

function grid(axis: Axis): Html {
  return html`${axis.marks.map(({ duration, text }) => {
    const height = y(axis, duration)
    return html`<path class="grid" d="M0 ${height}H${RIGHT}"/><text x="${RIGHT + 8}" y="${height + 4}">${text}</text>`
  })}`
}

function band(axis: Axis, { low, high }: DurationRange): Html {
  const [from, to] = [y(axis, high), y(axis, low)]
  return html`<rect class="typ" x="0" y="${from}" width="${RIGHT}" height="${Math.max(1, round(to - from))}"/>`
}

/** Draws all runs of the same kind as a single path, which keeps the HTML short. */
function bars(slots: readonly Slot[], axis: Axis | null): Html {
  const paths = Map.groupBy(slots, ({ look }) => KINDS[look].path)
  return html`${[...paths].map(([path, shown]) => html`<path class="${path}" d="${shown.map((slot) => bar(slot, axis)).join('')}"/>`)}`
}

function bar({ look, x, duration }: Slot, axis: Axis | null): string {
  const half = (TOP + BASE) / 2
  const top = axis === null || duration === null ? half : Math.min(y(axis, duration), BASE - 2)
  if (look === 'missing') return `M${x - 4.5} ${BASE - 0.5}v${TOP - BASE + 4}h9v${BASE - TOP - 4}z`
  if (look === 'paused') return `M${x - 8} ${BASE - 4}h16`
  // A failed run's bar extends below the baseline. If the run's duration is unknown, the bar reaches the top.
  if (look === 'failed') return `M${x} ${BASE + 8}V${duration === null ? TOP : top}`
  return `M${x} ${BASE}V${top}${look === 'late' ? `M${x} ${BASE + 4}v4` : ''}`
}

function labels(slots: readonly Slot[], { clock }: RunChart): Html {
  const known = slots.flatMap(({ at }) => (at === null ? [] : [at]))
  const [first, last] = [known[0], known.at(-1)]
  const isShort = first !== undefined && last !== undefined && microsecondsBetween(first, last) < 2 * DAY
  const newest = slots.length - 1
  return html`${slots.map(({ at, x }, index) => {
    if (at === null || (newest - index) % LABELS_EVERY !== 0) return null
    const words = isShort ? clock.time(at) : clock.isToday(at) ? 'today' : clock.day(at)
    return html`<text class="mid" x="${x}" y="182">${words}</text>`
  })}`
}

/** Draws the area that reacts to hovering and focus. It is as tall as the slot. */
function hot({ x, name, href }: Slot): Html {
  const area = html`<title>${name}</title><rect class="hot" x="${round(x - SLOT / 2)}" y="14" width="${SLOT}" height="160" rx="3"/>`
  return href === null ? html`<g>${area}</g>` : html`<a href="${href}" aria-label="${name}">${area}</a>`
}

const SAMPLES = {
  ok: 'M6 15V4',
  lt: 'M6 15V1',
  fl: 'M6 16V0',
  ms: 'M1.5 14.5v-9h9v9z',
  rn: 'M6 15V7',
  ps: 'M0 14h12',
} as const

/** Renders a legend for the kinds of runs in the chart. */
function legend(slots: readonly Slot[], hasUsual: boolean, longest: number | null): Html {
  const sample = (drawn: string, words: string) =>
    html`<li><svg class="runs" viewBox="0 0 12 16" aria-hidden="true">${new Html(drawn)}</svg>${words}</li>`
  const shown = [...new Set(slots.map(({ look }) => KINDS[look].path))]
  const words = { ok: 'ok', lt: 'slow or late', fl: 'failed', ms: 'missing', rn: 'running', ps: 'paused' } as const
  const order = ['ok', 'lt', 'fl', 'ms', 'rn', 'ps'] as const
  return html`<ul class="legend">${order.filter((path) => shown.includes(path)).map((path) => sample(`<path class="${path}" d="${SAMPLES[path]}"/>`, words[path]))}${
    hasUsual && sample('<rect class="typ" x="0" y="3" width="12" height="10"/>', 'usual range')
  }${longest !== null && sample('<path class="max" d="M0 8h12"/>', `longest allowed run, ${durationWords(longest / SECOND)}`)}</ul>`
}

/** Returns the median time between runs, in microseconds; infinite if fewer than two times are known. */
function typicalGap(runs: readonly RecentRun[]): number {
  const times = runs.flatMap(({ at }) => (at === null ? [] : [at]))
  const gaps = times.slice(1).map((at, index) => microsecondsBetween(times[index] ?? at, at))
  return upperMedian(gaps) ?? Number.POSITIVE_INFINITY
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
