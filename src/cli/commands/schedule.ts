/** `overdue schedule`: explains a schedule and lists its runs. It needs a database only to try it on a check, and never a server. */
import {
  changedTiming,
  representClockChange,
  representReplay,
  representSuggestion,
  upcoming,
} from '../../domain/check/schedule-preview.ts'
import { Refusal } from '../../domain/errors.ts'
import { clockChanges } from '../../domain/schedule/clock-changes.ts'
import { describe, parseSchedule, preview } from '../../domain/schedule/schedule.ts'
import { scheduleWords } from '../../domain/schedule/words.ts'
import { messageOf } from '../../lib/errors.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { type Command, type Context, readZone, type Values } from '../command.ts'
import type { Table } from '../screen.ts'
import { optionError, usageError } from '../usage.ts'
import { CHECK_HELP } from './find-check.ts'
import { openTrial, readTimingSpec, trialWords } from './schedule-trial.ts'

const COUNT_DEFAULT = '10'
const COUNT_MAX = 1000
const COUNT_PER_LINE = 5

export const scheduleCommands: readonly Command[] = [
  {
    words: 'schedule',
    takes: ['[EXPRESSION]'],
    usage:
      '[--period SPAN] [--tz ZONE] [--from INSTANT] [--count N] [--check CHECK --project NAME_OR_ID] [--grace SPAN] [--stdin]',
    summary: 'explain a schedule, list its next runs, and try it on the last runs of a check',
    details: [
      'EXPRESSION is cron or OnCalendar; SPAN is in seconds, or like 5m, 1h, 1d. ZONE is an IANA name (default UTC), INSTANT is like',
      '2026-03-29T00:00:00Z (default now), N is 1 to 1000 (default 10).',
      'With --check, the last runs of that check are judged as if its schedule had been so; what you leave out is as the check has',
      'it. If the runs show another rhythm, that schedule is proposed. Nothing is changed.',
      CHECK_HELP,
      'With --stdin and no EXPRESSION, it reads lines of {"expr": …, "tz": …, "from": …} from standard input, and answers each',
      'with one line: {"kind": …, "next": [the next five runs]} or {"error": …}.',
    ].join('\n'),
    example: "overdue schedule '30 3 * * MON-FRI' --tz Europe/Riga",
    options: {
      period: { type: 'string' },
      tz: { type: 'string' },
      from: { type: 'string' },
      count: { type: 'string', default: COUNT_DEFAULT },
      check: { type: 'string' },
      project: { type: 'string' },
      grace: { type: 'string' },
      stdin: { type: 'boolean', default: false },
    },
    run: (context) => (context.values.stdin ? explainLines(context) : explainOne(context)),
  },
]

async function explainOne(context: Context): Promise<number> {
  const { values, print } = context
  const { from, count } = readRange(values, context.now())
  const spec = readTimingSpec(context)
  const trial = await openTrial(context)
  const timing = changedTiming(trial?.check ?? null, spec)
  const { kind, tz } = timing
  const words = kind === 'simple' ? scheduleWords(timing).words : describe(timing.schedule, tz)
  const lastPingAt = values.from === undefined ? (trial?.check.lastPingAt ?? null) : null
  const runs = upcoming(timing, lastPingAt, from, count)
  const changes = clockChanges(timing, from)
  const past = trial && (await trial.judge(timing))
  const json = {
    ...{ kind, words, tz, next: runs.map(utcTime), clock_changes: changes.map(representClockChange) },
    replay: past?.replay ? representReplay(past.replay) : null,
    suggestion: past?.suggestion ? representSuggestion(past.suggestion) : null,
  }
  print(json, [
    `${kind}: ${words}\n`,
    runs.length > 0 ? times(runs, tz) : 'It does not run again.',
    ...paragraph(changes.map((change) => change.words)),
    ...(past ? paragraph(trialWords(trial.check, past, values)) : []),
  ])
  return 0
}

function paragraph(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

function readRange(values: Values, now: Instant): { from: Instant; count: number } {
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new Refusal('out-of-range', `--count ${values.count} is not valid`, { minimum: 1, maximum: COUNT_MAX })
  }
  return { from: values.from === undefined ? now : readInstant(values.from), count }
}

function readInstant(text: unknown): Instant {
  try {
    return Temporal.Instant.from(String(text))
  } catch {
    throw optionError(`"${text}" is not an instant`, 'use one like 2026-03-29T00:00:00Z')
  }
}

function times(runs: readonly Instant[], zone: string): Table {
  const isUtc = zone === 'UTC'
  const rows = runs.map((run) => [localTime(run, zone), ...(isUtc ? [] : [utcTime(run)])])
  return { rows: [[zone, ...(isUtc ? [] : ['UTC'])], ...rows] }
}

function localTime(run: Instant, zone: string): string {
  const local = run.toZonedDateTimeISO(zone)
  const weekday = local.toLocaleString('en', { weekday: 'short' })
  return `${weekday} ${local.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')} ${local.offset}`
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
