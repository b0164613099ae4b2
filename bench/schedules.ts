/**
 * Next occurrences per second, compared with Croner in the same time zone and with Croner in UTC, where there is no time zone
 * to handle. The three take turns. A row of the table has the median schedule and, as spread, the slowest and the fastest.
 */
import { Cron, type CronOptions } from 'croner'
import { nextAfter } from '../src/domain/schedule/schedule.ts'
import { fromSeconds } from '../src/lib/time.ts'
import { median, progress, whole, withSpread } from './support/figures.ts'
import { atLeast, type Row } from './support/table.ts'

const TIME_ZONE = 'Europe/Riga'
const ROUNDS = 15
const SEARCHES = 1000

/** Our schedule, and the same for Croner if it differs: OnCalendar must be translated. */
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

// In order of time, as pings arrive: we cache the next run until it has passed, which makes rare schedules fast here, while
// Croner searches each time. They cover two years, so that changes of the UTC offset are as frequent as in practice.
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

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(22))).join('')
}

export async function measureSchedules(): Promise<Row[]> {
  const medians: { readonly zoned: number; readonly utc: number; readonly perSecond: number }[] = []
  progress(row(['schedule', `next/s in ${TIME_ZONE}`, 'to Croner, zoned', 'to Croner in UTC']))
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
    const perSecond = median(rounds.map((round) => round.ours))
    medians.push({ zoned: median(toZoned), utc: median(toUtc), perSecond })
    progress(row([text, whole(perSecond), withSpread(toZoned, 2), withSpread(toUtc, 2)]))
  }
  const [zoned, utc] = [medians.map((ratios) => ratios.zoned), medians.map((ratios) => ratios.utc)]
  const what = `next occurrences a second, ${schedules.length} schedules in ${TIME_ZONE}`
  const perSecond = { name: '', values: medians.map((ratios) => ratios.perSecond), digits: 0, unit: '/s' }
  return [
    {
      what,
      figures: [perSecond],
      ratio: { values: zoned, to: 'Croner with its own zones', digits: 2 },
      aim: atLeast(zoned, 3, 'ratio'),
    },
    {
      what,
      figures: [perSecond],
      ratio: { values: utc, to: 'Croner in UTC', digits: 2 },
      aim: atLeast(utc, 0.3, 'ratio'),
    },
  ]
}
