/** Explains a schedule and lists its runs. `overdue schedule` needs a database only with `--check`, and never needs a server. */

import { representSuggestion, representWoken } from '../../domain/advice/represent.ts'
import { scheduleWords } from '../../domain/check/schedule-words.ts'
import { clockChanges } from '../../domain/preview/clock-changes.ts'
import {
  changedTiming,
  representClockChange,
  representReplay,
  upcoming,
} from '../../domain/preview/schedule-preview.ts'
import { describe, preview, scheduleKind } from '../../domain/schedule/schedule.ts'
import { readTypedSchedule } from '../../domain/schedule/typed/typed-schedule.ts'
import { messageOf } from '../../lib/errors.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { answerLines } from '../answer-lines.ts'
import type { Context, ExitStatus, Values } from '../command.ts'
import { readCount } from '../count-option.ts'
import type { Table } from '../terminal/screen.ts'
import { readZone } from '../times.ts'
import { optionError, usageError } from '../usage.ts'
import { openTrial, readTimingSpec, trialWords } from './trial.ts'

const COUNT_PER_LINE = 5

export function explain(context: Context): Promise<ExitStatus> {
  return context.values.stdin ? explainLines(context) : explainOne(context)
}

async function explainOne(context: Context): Promise<undefined> {
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
    woken: past?.woken ? representWoken(past.woken, context.now()) : null,
    suggestion: past?.suggestion ? representSuggestion(past.suggestion, true, context.now()) : null,
  }
  print(json, [
    `${kind}: ${words}\n`,
    runs.length > 0 ? times(runs, tz) : 'It does not run again.',
    ...paragraph(changes.map((change) => change.words)),
    ...(past ? paragraph(trialWords(trial.check, past, values, context.now())) : []),
  ])
}

function paragraph(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

function readRange(values: Values, now: Instant): { from: Instant; count: number } {
  const count = readCount(values, 'count')
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

async function explainLines(context: Context): Promise<undefined> {
  if (context.positionals.length > 0) {
    throw usageError('use only one of EXPRESSION and --stdin', 'see `overdue schedule --help`')
  }
  await answerLines(context, (line) => explainLine(line, context.now()))
}

/** @returns the answer to one line, which may be an error */
function explainLine(line: string, now: Instant): object {
  try {
    const { expr, tz = 'UTC', from } = parseLine(line)
    if (expr === undefined) return { error: 'expr is missing' }
    const zone = readZone(String(tz))
    const start = from === undefined ? now : readInstant(from)
    const schedule = readTypedSchedule(String(expr))
    const next = preview(schedule, zone, start, COUNT_PER_LINE).map(utcTime)
    return { kind: scheduleKind(schedule), next }
  } catch (error) {
    return { error: messageOf(error) }
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
