/** Tries a check's rules on the pings in its log, including their bodies. Does not change anything. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { ENTRIES_READ } from '../../domain/advice/facts.ts'
import type { Woken } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import { type PingRules, SEARCHED_BYTES } from '../../domain/ping/classify.ts'
import { rereadPing } from '../../domain/ping/reread.ts'
import type { PingKind } from '../../domain/ping/signal.ts'
import type { LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { readMessageText } from '../pings/message-text.ts'
import { readPast } from './past.ts'
import { tryChange } from './try-change.ts'

type Needs = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/**
 * Number of bytes to read from a body. This is more than the rules search, because emails also have a header, and because longer bodies
 * must be detected.
 */
const BYTES_READ = 4 * SEARCHED_BYTES

export interface TriedRules {
  /** number of pings that were read */
  readonly pings: number
  /** number of pings that would count differently, keyed by their new kind */
  readonly changes: ReadonlyMap<PingKind, number>
  /** number of pings that can't be tried, because the part of the body that decides the outcome is not stored */
  readonly unknown: number
  readonly woken: Woken
}

/**
 * @param rules the new rules
 * @returns null if the log contains no pings
 */
export async function tryRulesOnLog(
  deps: Needs,
  actor: Actor,
  check: Check,
  rules: PingRules,
): Promise<TriedRules | null> {
  requireRight(actor, 'read', check)
  const limit = Math.min(ENTRIES_READ, actor.project.pingLogLimit)
  const lines = (await deps.store.pings.readLog(check.id, null, limit, BYTES_READ)).toReversed()
  if (lines.length === 0) return null
  const kinds: (PingKind | null)[] = []
  for (const line of lines) kinds.push(await reread(deps, line, check, rules))
  const changes = new Map<PingKind, number>()
  for (const [index, kind] of kinds.entries()) {
    if (kind !== null && kind !== lines[index]?.kind) changes.set(kind, (changes.get(kind) ?? 0) + 1)
  }
  const { facts } = await readPast(deps, actor, check)
  const log = lines.map(({ kind, rid, receivedAt }) => ({ kind, runId: rid, at: receivedAt.epochMilliseconds }))
  const triedLog = log.map((ping, index) => ({ ...ping, kind: kinds[index] ?? ping.kind }))
  const woken = await tryChange(deps, { ...facts, log }, { timing: check, log: triedLog })
  return { pings: lines.length, changes, unknown: kinds.filter((kind) => kind === null).length, woken }
}

/** Returns null if the part of the body that decides the outcome is not stored or was not read, such as the end of a long email. */
async function reread({ eventLoop }: Needs, line: LogLine, check: Check, rules: PingRules): Promise<PingKind | null> {
  const { bodyStart, bodySize, scheme, droppedBytes } = line
  if (droppedBytes !== null && rules.filterHttpBody) return null
  if (scheme !== 'email')
    return eventLoop.step(async () => rereadPing({ ...line, searched: bodyStart, mail: null }, check, rules))
  if (bodyStart === null || bodySize > bodyStart.length) return null
  const mail = await readMessageText(bodyStart, eventLoop)
  return eventLoop.step(async () => rereadPing({ ...line, searched: null, mail }, check, rules))
}
