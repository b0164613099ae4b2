/** `overdue schedule`: explains an expression and lists its runs; needs neither a server nor a database. */
import { Refusal } from '../../domain/errors.ts'
import { describe, parseSchedule, preview, ScheduleError, scheduleKind } from '../../domain/schedule/schedule.ts'
import { messageOf } from '../../lib/errors.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { type Command, type Context, readZone, type Values } from '../command.ts'
import { optionError, usageError } from '../usage.ts'

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
      'ZONE is an IANA name (default UTC), INSTANT is like 2026-03-29T00:00:00Z (default now), N is 1 to 1000 (default 10).',
      'With --stdin and no EXPRESSION, it reads lines of {"expr": …, "tz": …, "from": …} from standard input, and answers each',
      'with one line: {"kind": …, "next": [the next five runs]} or {"error": …}.',
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
  if (text === undefined) throw optionError('missing EXPRESSION', 'put it in quotes, or use --stdin')
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
    throw new Refusal('schedule-invalid', message, { name: text, kind: scheduleKind(text), position, length })
  }
}

function readOptions(values: Values, now: Instant): { zone: string; from: Instant; count: number } {
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new Refusal('out-of-range', `--count ${values.count} is not valid`, { minimum: 1, maximum: COUNT_MAX })
  }
  return { zone: readZone(String(values.tz)), from: values.from === undefined ? now : readInstant(values.from), count }
}

function readInstant(text: unknown): Instant {
  try {
    return Temporal.Instant.from(String(text))
  } catch {
    throw optionError(`"${text}" is not an instant`, 'use one like 2026-03-29T00:00:00Z')
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

async function explainLines({ now, positionals }: Context): Promise<number> {
  if (positionals.length > 0) {
    throw usageError('use only one of EXPRESSION and --stdin', 'see `overdue schedule --help`')
  }
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

/** @returns the answer to one line; errors are part of the answer */
function explainLine(line: string, now: Instant): string {
  try {
    const { expr, tz = 'UTC', from } = parseLine(line)
    if (expr === undefined) return JSON.stringify({ error: 'expr is missing' })
    const zone = readZone(String(tz))
    const start = from === undefined ? now : readInstant(from)
    const { kind } = parseSchedule(String(expr), zone)
    return JSON.stringify({ kind, next: preview(String(expr), zone, start, COUNT_PER_LINE).map(utcTime) })
  } catch (error) {
    return JSON.stringify({ error: messageOf(error) })
  }
}

/** @throws Refusal `option-invalid` */
function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(line) }
  } catch {
    throw optionError('not valid JSON', 'use lines of {"expr": …}')
  }
}
