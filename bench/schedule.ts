/**
 * Next occurrences per second, `bun bench/schedule.ts`: ours, against Croner on the same schedule with its own handling
 * of the zone (target: at least 3 times as fast) and against Croner in UTC, where there is nothing to handle (target: at
 * least 0.3). The three take turns in one run, so that a busy machine slows them alike; only the ratios carry over to
 * another one.
 */
import { Cron, type CronOptions } from 'croner'
import { nextAfter } from '../src/domain/schedule.ts'
import { fromSeconds } from '../src/domain/time.ts'

const TIME_ZONE = 'Europe/Riga'
const ROUNDS = 15
const SEARCHES = 1000

/** Our text, and what says the same to Croner: OnCalendar has to be translated. */
const schedules = [
  ['* * * * *'],
  ['*/5 * * * *'],
  ['0 * * * *'],
  ['30 3 * * *'],
  ['0 9-17 * * MON-FRI'],
  ['15 2,14 1,15 * *'],
  ['0 0 * * 5L'],
  ['hourly', '0 0 * * * *'],
  ['Mon..Fri 08:30', '0 30 8 * * 1-5'],
  ['*-*~1 23:55', '0 55 23 L * *'],
] as const

// In order of time, as pings come: a run that was found is remembered until it has passed, which is what makes rare
// schedules fast here; Croner searches anew each time. All over two years, so that changes of offset have the share they
// have in life.
const starts = Array.from({ length: SEARCHES }, (_, index) => 1_767_225_600 + index * 63_113)
const instants = starts.map(fromSeconds)
const dates = starts.map((seconds) => new Date(seconds * 1000))

function rate(search: () => void): number {
  const begun = performance.now()
  search()
  return (SEARCHES / (performance.now() - begun)) * 1000
}

function croner(pattern: string, options: CronOptions): () => void {
  const cron = new Cron(pattern, { fixedTimeRule: 'no-wildcard', ...options })
  return () => {
    for (const date of dates) cron.nextRun(date)
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** `1.23 (1.10-1.31)`: the median, and the span of all rounds. */
function spread(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return `${median(values).toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(22))).join('')
}

const medians: { readonly zoned: number; readonly utc: number }[] = []
const lines = [row(['schedule', `next/s in ${TIME_ZONE}`, 'to Croner, zoned', 'to Croner in UTC'])]
for (const [text, pattern = text] of schedules) {
  const ours = () => {
    for (const instant of instants) nextAfter(text, TIME_ZONE, instant)
  }
  const zoned = croner(pattern, { timezone: TIME_ZONE })
  const utc = croner(pattern, { utcOffset: 0 })
  for (const search of [ours, zoned, utc, ours, zoned, utc]) search()
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: rate(ours), zoned: rate(zoned), utc: rate(utc) }))
  const toZoned = rounds.map((round) => round.ours / round.zoned)
  const toUtc = rounds.map((round) => round.ours / round.utc)
  medians.push({ zoned: median(toZoned), utc: median(toUtc) })
  const perSecond = Math.round(median(rounds.map((round) => round.ours))).toLocaleString('en')
  lines.push(row([text, perSecond, spread(toZoned), spread(toUtc)]))
}
const zoned = medians.map((ratios) => ratios.zoned)
const utc = medians.map((ratios) => ratios.utc)
lines.push(row(['typical', '', `${median(zoned).toFixed(2)} (target 3)`, `${median(utc).toFixed(2)} (target 0.3)`]))
lines.push(row(['slowest', '', Math.min(...zoned).toFixed(2), Math.min(...utc).toFixed(2)]))
process.stdout.write(`${lines.join('\n')}\n`)
