/** Brings checks to their deadline, in the file beside the server, since the shortest that the API takes is two minutes. */
import { Database } from 'bun:sqlite'
import type { Dice } from '../dice.ts'
import type { CheckFound, Evidence } from './evidence.ts'
import type { Deadline } from './findings.ts'

/** How the checks have to be set up, so that no deadline comes by itself. */
export const SILENT_CHECK = { timeout: 86_400, grace: 60 } as const
const SPAN = (SILENT_CHECK.timeout + SILENT_CHECK.grace) * 1_000_000
/** Some deadlines come before the kill, some while no server runs, some after. */
const LONGEST_WAIT_MS = 2_500

export interface Silencer {
  readonly deadlines: readonly Deadline[]
  /**
   * Gives every check that is up and has no deadline ahead one within seconds.
   * To be called while a server has the file open: it is the server that has to recover the file after a kill.
   * @returns the checks that are not up: a ping makes them useful again
   */
  silence(checks: readonly CheckFound[], evidence: Evidence, dice: Dice): readonly CheckFound[]
}

export function createSilencer(path: string): Silencer {
  const deadlines: Deadline[] = []
  return {
    deadlines,
    silence(checks, { flips }, dice) {
      const past = new Set(flips.map(({ checkId, createdAt }) => `${checkId} ${createdAt}`))
      const waiting = new Set(
        deadlines.filter(({ checkId, at }) => !past.has(`${checkId} ${at}`)).map(({ checkId }) => checkId),
      )
      using database = new Database(path)
      database.run('PRAGMA busy_timeout = 5000')
      // The checkpoints are the server's, since it is the server that is killed in them.
      database.run('PRAGMA wal_autocheckpoint = 0')
      // The server says so every ten seconds, which between kills may be seldom: an outage would spare the checks.
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
        const at = (Date.now() + dice.upTo(LONGEST_WAIT_MS)) * 1_000
        if (move.immediate(checkId, at) === 1) deadlines.push({ checkId, at })
      }
      return checks.filter(({ status }) => status !== 'up')
    },
  }
}
