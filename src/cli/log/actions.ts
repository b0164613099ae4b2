/** Implements `overdue log`, which lists log entries, newest first. */
import type { Check } from '../../domain/check/check.ts'
import { addSeconds, type Instant, isAtOrAfter, isoSeconds, Temporal } from '../../lib/time.ts'
import { readProjectLog } from '../../services/overview/project-log.ts'
import { readNewestEvents } from '../../services/pings/newest-events.ts'
import { openCheck } from '../check/find-check.ts'
import { spanSeconds } from '../check/spec.ts'
import type { Context, Values } from '../command.ts'
import { readCount } from '../count-option.ts'
import { openProject } from '../project/open-project.ts'
import type { Cell } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'
import { cells, HEADS, type LogLine, represent } from './lines.ts'

interface OwnLine {
  readonly check: Check
  readonly line: LogLine
}

/** Runs `overdue log`. */
export async function log(context: Context): Promise<undefined> {
  const { positionals, values, now, zone, print } = context
  if (positionals.length > 1) return (await import('./one-ping.ts')).printPing(context)
  const limit = readCount(values, 'limit')
  const since = readSince(values, now())
  const isOfCheck = positionals.length === 1
  const found = isOfCheck ? await ofCheck(context, limit) : await ofProject(context, limit)
  const lines = found.filter(({ line }) => since === null || isAtOrAfter(line.at, since))
  const tz = zone()
  const rows = lines.map(({ check, line }): Cell[] => {
    const own = cells(line, tz)
    return isOfCheck ? [...own] : [{ name: check.name || check.slug || check.id }, ...own]
  })
  const json = lines.map(({ check, line }) => ({ check: { uuid: check.id, name: check.name }, ...represent(line) }))
  const table = { rows: [isOfCheck ? HEADS : ['CHECK', ...HEADS], ...rows] }
  print(json, rows.length === 0 ? `No entries${since === null ? ' yet' : ` since ${isoSeconds(since)}`}.` : [table])
}

async function ofCheck(context: Context, limit: number): Promise<readonly OwnLine[]> {
  const { deps, actor, found } = await openCheck(context)
  const { check } = found
  return (await readNewestEvents(deps, actor, check, limit)).map((line) => ({ check, line }))
}

async function ofProject(context: Context, limit: number): Promise<readonly OwnLine[]> {
  const { deps, actor } = await openProject(context)
  const entries = await readProjectLog(deps, actor, limit)
  return entries.map(({ check, ping }) => ({ check, line: { kind: 'ping', at: ping.receivedAt, ping } }))
}

/** Reads `--since`. Returns null if it is not given. @throws Refusal `option-invalid` */
function readSince({ since }: Values, now: Instant): Instant | null {
  if (since === undefined) return null
  const text = String(since)
  const span = spanSeconds(text)
  if (typeof span === 'number') return addSeconds(now, -span)
  try {
    return Temporal.Instant.from(text)
  } catch {
    throw optionError(
      `--since ${text} is not valid`,
      'use a span such as 2h or 7d, or a time such as 2026-11-17T03:00Z',
    )
  }
}
