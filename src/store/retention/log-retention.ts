/** Shortens logs to the number of entries that their project keeps, and drops bodies beyond the byte limit of a log. */
import { bodiesToDrop } from '../../domain/ping/log-bytes.ts'
import type { Sql } from '../database.ts'
import type { EntryKey } from '../ping-tables.ts'
import { clampCursor, lockWords } from '../search.ts'
import type { Steps } from './steps.ts'

const ENTRIES_AT_ONCE = 100

export interface Entry extends EntryKey {
  /** length of the body; null if there is none */
  readonly bytes: number | null
}

type EntryRow = { id: number; n: number; bytes: number | null; next: number | null }

/** The entries of a check's log from its head back, newest first. @param head as the engine's statements give it */
export async function listEntries(steps: Steps, checkId: string, head: number | null): Promise<Entry[]> {
  const entries: Entry[] = []
  let next = head
  const walkOn = async (sql: Sql, isOver: () => boolean) => {
    do {
      const rows = await sql.all<EntryRow>(sql.statements.walkLog, [checkId, next, ENTRIES_AT_ONCE])
      for (const { id, n, bytes } of rows) entries.push({ id, checkId, n, bytes })
      next = rows.at(-1)?.next ?? null
    } while (next !== null && !isOver())
  }
  while (next !== null) await steps.read(walkOn)
  return entries
}

/** Oldest first, so that the rest is still a chain if it fails half way. @returns how many it deleted */
export function deleteEntries(steps: Steps, entries: readonly Entry[]): Promise<number> {
  return remove(
    steps,
    entries.toSorted((a, b) => a.id - b.id),
    'entries',
  )
}

function remove(steps: Steps, entries: readonly Entry[], part: 'entries' | 'bodies'): Promise<number> {
  return steps.each(entries, {
    atBegin: lockWords,
    atOnce: (sql) => sql.pings.removedAtOnce,
    work: (sql, some) => sql.pings.remove(some, part),
    atEnd: clampCursor,
  })
}

type LogHead = { head: number | null; ping_log_limit: number }

export interface Shortened {
  /** entries deleted */
  readonly pings: number
  /** bodies dropped from entries that stay */
  readonly bodies: number
}

/**
 * What it did before a failure remains. Two processes may shorten one log at the same time.
 * @param logBytes limit of the bodies in a log, not counting the newest entry's
 */
export async function shortenLogs(steps: Steps, checkIds: Iterable<string>, logBytes: number): Promise<Shortened> {
  const excess: Entry[] = []
  const dropped: Entry[] = []
  for (const checkId of checkIds) {
    const log = await steps.read((sql) => sql.get<LogHead>(sql.statements.logHead, [checkId]))
    if (!log) continue
    const entries = await listEntries(steps, checkId, log.head)
    excess.push(...entries.slice(log.ping_log_limit))
    dropped.push(...bodiesToDrop(entries.slice(0, log.ping_log_limit), logBytes))
  }
  const pings = await deleteEntries(steps, excess)
  const bodies = await remove(steps, dropped, 'bodies')
  return { pings, bodies }
}
