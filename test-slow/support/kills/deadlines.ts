/** Sets deadlines of checks directly in the file, since the shortest that the API accepts is two minutes away. */
import { Database } from 'bun:sqlite'
import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import type { CheckFound, Snapshot } from './snapshot.ts'
import type { Deadline } from './violations.ts'

/** Fields that the checks must have, so that no other deadline is reached. */
export const SILENT_CHECK = { timeout: 86_400, grace: 60 } as const
const SPAN = (SILENT_CHECK.timeout + SILENT_CHECK.grace) * 1_000_000
/** Longest time to a deadline. Some deadlines are reached before the kill, some while no server runs, some after the restart. */
const LONGEST_WAIT_MS = 2_500

export interface DeadlineSetter {
  readonly deadlines: readonly Deadline[]
  /**
   * Gives every check that is up and has no future deadline a deadline within seconds. Call it while a server has the file open, so that
   * the server and not this process recovers the file after a kill.
   * @returns the checks that are not up and need a ping first
   */
  setDeadlines(checks: readonly CheckFound[], snapshot: Snapshot, random: SeededRandom): readonly CheckFound[]
}

export function createDeadlineSetter(path: string): DeadlineSetter {
  const deadlines: Deadline[] = []
  return {
    deadlines,
    setDeadlines(checks, { flips }, random) {
      const past = new Set(flips.map(({ checkId, createdAt }) => `${checkId} ${createdAt}`))
      const waiting = new Set(
        deadlines.filter(({ checkId, at }) => !past.has(`${checkId} ${at}`)).map(({ checkId }) => checkId),
      )
      using database = new Database(path)
      database.run('PRAGMA busy_timeout = 5000')
      // Only the server makes checkpoints, so that kills can interrupt them.
      database.run('PRAGMA wal_autocheckpoint = 0')
      // Kills can be more frequent than the server's heartbeat. Without one, the restart would count as an outage.
      database.run(`UPDATE settings SET value = '${Date.now() * 1_000}' WHERE name = 'alive'`)
      const bringNear = database.query(`UPDATE checks SET alert_after = $1 WHERE id = $2 AND status = 'up'`)
      const age = database.query(
        'UPDATE counters SET last_ping_at = $1 WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $2)',
      )
      const move = database.transaction((checkId: string, at: number) => {
        const { changes } = bringNear.run(at, checkId)
        if (changes === 1) age.run(at - SPAN, checkId)
        return changes
      })
      for (const { id: checkId } of checks.filter(({ id, status }) => status === 'up' && !waiting.has(id))) {
        const at = (Date.now() + random.integer(LONGEST_WAIT_MS)) * 1_000
        if (move.immediate(checkId, at) === 1) deadlines.push({ checkId, at })
      }
      return checks.filter(({ status }) => status !== 'up')
    },
  }
}
