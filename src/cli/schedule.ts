/** `overdue schedule`: what an expression means and when it runs, without a server and without a database. */
import { UserError } from '../domain/errors.ts'
import { describe, parseSchedule, preview, ScheduleError, scheduleKind } from '../domain/schedule.ts'
import { type Instant, Temporal } from '../domain/time.ts'
import { type Command, type Context, readZone, type Values } from './command.ts'

const COUNT_DEFAULT = '10'
const COUNT_MAX = 1000
const COUNT_PER_LINE = 5

export const scheduleCommands: readonly Command[] = [
  {
    words: 'schedule',
    takes: ['[EXPRESSION]'],
    usage: '[--tz ZONE] [--from INSTANT] [--count N] [--stdin]',
    summary: 'explain a cron or OnCalendar expression and list its next runs',
    details: [
      'ZONE is an IANA name (UTC unless given), INSTANT like 2026-03-29T00:00:00Z (now), N from 1 to 1000 (10).',
      'With --stdin and no EXPRESSION, each line of standard input is {"expr": …, "tz": …, "from": …}, and is answered with one',
      'line: {"kind": …, "next": [the next five runs]} or {"error": …}.',
    ].join('\n'),
    example: "overdue schedule '30 3 * * MON-FRI' --tz Europe/Riga",
    options: {
      tz: { type: 'string', default: 'UTC' },
      from: { type: 'string' },
      count: { type: 'string', default: COUNT_DEFAULT },
      stdin: { type: 'boolean', default: false },
    },
    run: (context) => (context.values.stdin ? explainLines(context) : explainOne(context)),
  },
]

async function explainOne({ positionals: [text], values, print, now }: Context): Promise<number> {
  if (text === undefined) throw new UserError('missing EXPRESSION', 'give one in quotes, or use --stdin')
  const { zone, from, count } = readOptions(values, now())
  try {
    const kind = parseSchedule(text, zone).kind
    const words = describe(text, zone)
    const runs = preview(text, zone, from, count)
    const isUtc = zone === 'UTC'
    const rows = runs.map((run) => [localTime(run, zone), ...(isUtc ? [] : [utcTime(run)])])
    const shown = runs.length > 0 ? { rows: [[zone, ...(isUtc ? [] : ['UTC'])], ...rows] } : 'It does not run again.'
    print({ kind, words, tz: zone, next: runs.map(utcTime) }, [`${kind}: ${words}\n`, shown])
    return 0
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    const { message, position, length } = error
    print({ kind: scheduleKind(text), error: message, position, length }, pointAt(text, error))
    return 1
  }
}

function readOptions(values: Values, now: Instant): { zone: string; from: Instant; count: number } {
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new UserError(`--count ${values.count} is not usable`, `use a whole number from 1 to ${COUNT_MAX}`)
  }
  return { zone: readZone(String(values.tz)), from: values.from === undefined ? now : readInstant(values.from), count }
}

function readInstant(text: unknown): Instant {
  try {
    return Temporal.Instant.from(String(text))
  } catch {
    throw new UserError(`"${text}" is not an instant`, 'use one like 2026-03-29T00:00:00Z')
  }
}

function localTime(run: Instant, zone: string): string {
  const local = run.toZonedDateTimeISO(zone)
  const weekday = local.toLocaleString('en', { weekday: 'short' })
  return `${weekday} ${local.toPlainDateTime().toString().replace('T', ' ')} ${local.offset}`
}

function utcTime(run: Instant): string {
  return run.toString({ smallestUnit: 'second' })
}

/** The line with the mistake, and carets under it. */
function pointAt(text: string, { message, position, length }: ScheduleError): string {
  const start = text.lastIndexOf('\n', position - 1) + 1
  const end = text.indexOf('\n', position)
  const line = text.slice(start, end < 0 ? undefined : end)
  const column = position - start
  const carets = '^'.repeat(Math.max(1, Math.min(length, line.length - column)))
  // Whatever is no blank in the line becomes one, tabs stay, so that the carets stand under the mistake.
  return `${message}\n\n  ${line}\n  ${line.slice(0, column).replace(/\S/gu, ' ')}${carets}`
}

async function explainLines({ now }: Context): Promise<number> {
  const input = Bun.stdin.stream().pipeThrough(new TextDecoderStream())
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    process.stdout.write(lines.map((line) => `${explainLine(line, now())}\n`).join(''))
  }
  if (rest.trim() !== '') process.stdout.write(`${explainLine(rest, now())}\n`)
  return 0
}

/** One line of JSON for another; whatever is wrong with it is said in the answer. */
function explainLine(line: string, now: Instant): string {
  try {
    const { expr, tz = 'UTC', from } = JSON.parse(line)
    const zone = readZone(String(tz))
    const start = from === undefined ? now : readInstant(from)
    const { kind } = parseSchedule(String(expr), zone)
    return JSON.stringify({ kind, next: preview(String(expr), zone, start, COUNT_PER_LINE).map(utcTime) })
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}
