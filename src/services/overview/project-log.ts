/** Reads the newest pings of all of a project's checks. */
import { type Actor, may } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { ListedEntry } from '../../domain/log/log-entry.ts'
import { Temporal } from '../../lib/time.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { withLastLines } from '../pings/last-lines.ts'
import { readLog, type TimedLine } from '../pings/log.ts'
import { toEntry } from '../pings/timeline.ts'

export interface ProjectLogEntry {
  readonly check: Check
  readonly ping: ListedEntry
}

/** Reads pings, newest first. This has to read the log of every check, so it is only for callers that can wait. */
export async function readProjectLog(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  limit: number,
): Promise<readonly ProjectLogEntry[]> {
  let newest: readonly { readonly check: Check; readonly line: TimedLine }[] = []
  for await (const page of listChecks(deps, actor, {})) {
    for (const { check } of page) {
      if (check.nPings === 0) continue
      const { entries } = await readLog(deps, actor, check, { limit })
      const all = [...newest, ...entries.map((line) => ({ check, line }))]
      newest = all.toSorted((a, b) => Temporal.Instant.compare(b.line.receivedAt, a.line.receivedAt)).slice(0, limit)
    }
  }
  const mayPing = may(actor, 'write')
  const found: ProjectLogEntry[] = []
  for (const [check, own] of Map.groupBy(newest, (each) => each.check)) {
    const pings = own.map(({ line }) => toEntry(mayPing)(line))
    const lines = pings.map((ping) => ({ kind: 'ping' as const, at: ping.receivedAt, ping }))
    for (const line of await withLastLines(deps, check, lines, pings, mayPing)) {
      if (line.kind === 'ping') found.push({ check, ping: line.ping })
    }
  }
  return found.toSorted((a, b) => Temporal.Instant.compare(b.ping.receivedAt, a.ping.receivedAt))
}
