/** Trims logs to the number of entries that their project's limit allows, and drops bodies that exceed the log's size limit. */
import { bodiesToDrop } from '../../domain/log/log-bytes.ts'
import { restsOf } from '../pings/long-bodies.ts'
import { clampCursor, lockWords } from '../pings/search.ts'
import type { Sql } from '../sql/database.ts'
import type { EntryKey } from '../sql/ping-tables.ts'
import type { Steps } from '../sql/steps.ts'

const ENTRIES_AT_ONCE = 100
/**
 * Number of logs that a step reads before it checks the time. Each entry may be on a different page of the database, for example if many
 * checks are pinged in turn.
 */
const LOGS_AT_ONCE = 4

interface Entry extends EntryKey {
  /** size of the complete body in bytes; null if there is none */
  readonly bytes: number | null
}

type EntryRow = { id: number; n: number; bytes: number | null; next: number | null }

/** The head of a log. @see EngineStatements */
interface LogHead {
  readonly checkId: string
  /** value to pass to the engine's statements; null if the log is empty */
  readonly head: number | null
}

/** Lists the entries of each log backwards from its head, newest first. They are kept in memory, so pass only a few logs. */
export async function listEntries(steps: Steps, heads: readonly LogHead[]): Promise<Entry[][]> {
  const logs = heads.map(({ checkId, head }) => ({
    checkId,
    next: head,
    entries: [] as Entry[],
    rests: null as Rests | null,
  }))
  const isUnread = ({ next }: { readonly next: number | null }) => next !== null
  let unread = logs.filter(isUnread)
  const walkOn = async (sql: Sql, isOver: () => boolean) => {
    do {
      await Promise.all(
        unread.slice(0, LOGS_AT_ONCE).map(async (log) => {
          const rows = await sql.all<EntryRow>(sql.statements.walkLog, [log.checkId, log.next, ENTRIES_AT_ONCE])
          log.rests ??= await restsOf(sql, log.checkId)
          for (const row of rows) log.entries.push(toEntry(log.checkId, row, log.rests.get(row.n)))
          log.next = rows.at(-1)?.next ?? null
        }),
      )
      unread = unread.filter(isUnread)
    } while (unread.length > 0 && !isOver())
  }
  while (unread.length > 0) await steps.read(walkOn)
  return logs.map(({ entries }) => entries)
}

type Rests = Awaited<ReturnType<typeof restsOf>>

function toEntry(checkId: string, { id, n, bytes }: EntryRow, rest: number | undefined): Entry {
  return { id, checkId, n, bytes: bytes === null ? null : bytes + (rest ?? 0), hasRest: rest !== undefined }
}

/** Called at the beginning of a transaction. @returns false if the work is no longer needed */
export type Hold = (sql: Sql) => Promise<boolean>

const ALWAYS: Hold = async () => true

/** Deletes entries, oldest first, so that the remaining entries still form a chain if a step fails. @returns number of deleted entries */
export function deleteEntries(steps: Steps, entries: readonly Entry[], hold: Hold): Promise<number> {
  return remove(
    steps,
    entries.toSorted((a, b) => a.id - b.id),
    'entries',
    hold,
  )
}

function remove(
  steps: Steps,
  entries: readonly Entry[],
  part: 'entries' | 'bodies',
  hold: Hold = ALWAYS,
): Promise<number> {
  return steps.each(entries, {
    async atBegin(sql) {
      await lockWords(sql)
      return hold(sql)
    },
    atOnce: (sql) => sql.pings.removedAtOnce,
    work: (sql, some) => sql.pings.remove(some, part),
    atEnd: clampCursor,
  })
}

type LimitedHead = { head: number | null; ping_log_limit: number }

interface Shortened {
  /** number of deleted entries */
  readonly pings: number
  /** number of bodies that were dropped from entries that were kept */
  readonly bodies: number
}

/**
 * Trims logs that are too long. After a failure, the completed steps are kept. Two processes may trim the same log at the same time.
 * @param logBytes maximum size of the bodies in a log in bytes, not counting the newest entry
 * @param cutLog see {@link EngineStatements}
 */
export async function shortenLogs(
  steps: Steps,
  checkIds: readonly string[],
  logBytes: number,
  cutLog: string | null,
): Promise<Shortened> {
  if (cutLog === null) return walkAndShorten(steps, checkIds, logBytes)
  const cut = await cutLogs(steps, checkIds, cutLog)
  const tooLong = checkIds.filter((id) => (cut.get(id)?.bytes ?? 0) > logBytes)
  const { pings, bodies } = await walkAndShorten(steps, tooLong, logBytes)
  return { pings: [...cut.values()].reduce((sum, { removed }) => sum + removed, pings), bodies }
}

/**
 * Number of logs per step. A step takes about ten milliseconds if each entry is on a different page of the database, for example because
 * many checks are pinged in turn.
 */
const CUT_AT_ONCE = 4

interface CutLog {
  readonly removed: number
  readonly bytes: number
}

const NOTHING: CutLog = { removed: 0, bytes: 0 }

/** @returns the results, keyed by check id */
async function cutLogs(steps: Steps, checkIds: readonly string[], cutLog: string): Promise<Map<string, CutLog>> {
  // The results are replaced if a step is retried after a conflict.
  const cut = new Map<string, CutLog>()
  await steps.each(checkIds, {
    async atBegin(sql) {
      await lockWords(sql)
      return true
    },
    atOnce: () => CUT_AT_ONCE,
    async work(sql, some) {
      const rows = await sql.getEach<CutLog>(
        cutLog,
        some.map((id) => [id]),
      )
      for (const [index, id] of some.entries()) cut.set(id, rows[index] ?? NOTHING)
      return some.length
    },
  })
  return cut
}

async function walkAndShorten(steps: Steps, checkIds: readonly string[], logBytes: number): Promise<Shortened> {
  if (checkIds.length === 0) return { pings: 0, bodies: 0 }
  const found = await steps.read((sql) =>
    sql.getEach<LimitedHead>(
      sql.statements.logHead,
      checkIds.map((id) => [id]),
    ),
  )
  const logs = await listEntries(
    steps,
    checkIds.map((checkId, index) => ({ checkId, head: found[index]?.head ?? null })),
  )
  const excess: Entry[] = []
  const dropped: Entry[] = []
  for (const [index, entries] of logs.entries()) {
    const limit = found[index]?.ping_log_limit ?? 0
    excess.push(...entries.slice(limit))
    dropped.push(...bodiesToDrop(entries.slice(0, limit), logBytes))
  }
  const pings = await deleteEntries(steps, excess, ALWAYS)
  const bodies = await remove(steps, dropped, 'bodies')
  return { pings, bodies }
}
