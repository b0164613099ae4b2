/** Reads a check's log for a page: all stored pings and flips, and the missing runs between them. */
import { type Actor, may } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { LogEntry } from '../../domain/log/log-entry.ts'
import { createTimeline, type Timeline } from '../../domain/log/log-timeline.ts'
import { UA_LIMIT } from '../../domain/ping/signal.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { isAtOrAfter, isBefore } from '../../lib/time.ts'
import { inSteps } from '../../lib/work/event-loop-yield.ts'
import type { Deps } from '../common/deps.ts'
import { listFlips } from './flips.ts'
import { readLog, type TimedLine } from './log.ts'

type ReadDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/** Maximum number of flips to read. A thousand pings cause fewer flips than this; only repeated pausing and resuming causes more. */
const FLIPS_KEPT = 4_000

/**
 * Reads the complete log, which has at most a thousand pings, and the flips since the oldest ping. If there are too many flips, only the
 * newest flips are read.
 * @param isSearched true if the caller searches the complete log for missing runs; the search takes a long time, so it yields to the event
 * loop
 */
export async function readTimeline(
  deps: ReadDeps,
  actor: Actor,
  check: Check,
  isSearched = false,
): Promise<Timeline<LogEntry>> {
  const { entries } = await readLog(deps, actor, check, { limit: actor.project.pingLogLimit })
  const flips = await readFlips(deps, actor, check, entries)
  const timeline = createTimeline({ check, pings: entries.map(toEntry(may(actor, 'write'))), flips }, deps.now())
  if (isSearched) await inSteps(deps.eventLoop, timeline.search())
  return timeline
}

/** @param entries the log entries, newest first */
async function readFlips(
  deps: ReadDeps,
  actor: Actor,
  check: Check,
  entries: readonly TimedLine[],
): Promise<readonly Flip[]> {
  const oldest = entries.at(-1)
  // A check may have been paused before its first ping.
  const from = oldest === undefined || oldest.n === 1 ? null : oldest.receivedAt
  const flips: Flip[] = []
  for await (const page of listFlips(deps, actor, check, {})) {
    flips.push(...page)
    const last = flips.at(-1)
    if (flips.length >= FLIPS_KEPT || (from && last && isBefore(last.createdAt, from))) break
  }
  const kept = flips.slice(0, FLIPS_KEPT)
  return from === null ? kept : kept.filter(({ createdAt }) => isAtOrAfter(createdAt, from))
}

/** @param mayPing false to remove ping URLs and keys, for members who must not see them */
export function toEntry(mayPing: boolean): (line: TimedLine) => LogEntry {
  return ({ checkId: _, ...line }) => ({ ...line, ua: mayPing ? line.ua : shownAgent(line.ua) })
}

function shownAgent(ua: string): string {
  return withoutPingSecrets(ua, ua.length >= UA_LIMIT ? 'start' : 'all')
}
