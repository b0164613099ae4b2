/** Makes the checks of a prepared database realistic: names, tags, schedules, times, runs, some of them down or late. */
import { Database } from 'bun:sqlite'
import { recordRun } from '../../src/domain/check/run-history.ts'
import { databaseFile } from './prepare.ts'

const WHAT = ['backup', 'import', 'export', 'report', 'sync', 'cleanup', 'rotation', 'snapshot', 'digest', 'reindex']
const OF = ['database', 'orders', 'invoices', 'mailbox', 'warehouse', 'catalogue', 'logs', 'certificates', 'images']
const WHERE = ['nas', 'web', 'db', 'worker', 'edge', 'staging', 'eu-west', 'riga', 'office']
const TAGS = ['prod', 'staging', 'db', 'backup', 'infra', 'finance', 'shop', 'mail', 'k8s', 'storage', 'reports', 'erp']
const CRONS = ['0 2 * * *', '15 7 * * 1-5', '0 */6 * * *', '0 5 * * 0', '30 3 1 * *', '5 * * * *']
const PERIODS = [3_600, 21_600, 43_200, 86_400, 604_800]
const HOUR = 3_600_000_000

/** Returns the same numbers in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Changes checks: one in twenty is down, one in fifty late, one in fifty runs, one in a hundred is paused. */
export function makeRealistic(directory: string): void {
  const random = createRandom(1)
  const below = (limit: number) => Math.floor(random() * limit)
  const one = (list: readonly string[]) => list[below(list.length)] ?? ''
  const database = new Database(databaseFile(directory), { strict: true })
  const now = Date.now() * 1000
  const checks = database.query<{ id: string; counter_id: number }, []>('SELECT id, counter_id FROM checks').all()
  const change =
    database.prepare(`UPDATE checks SET public_id = $publicId, name = $name, tags = $tags, kind = $kind, schedule = $schedule, tz = $tz,
    timeout_seconds = $period, grace_seconds = 3600, status = $status WHERE id = $id`)
  const count =
    database.prepare(`UPDATE counters SET last_ping_at = $last, last_start_at = $start, last_duration = $duration,
    runs = $runs WHERE counter_id = $counter`)
  database.transaction(() => {
    for (const { id, counter_id } of checks) {
      const dice = random()
      const isDown = dice < 0.05
      const isLate = dice >= 0.05 && dice < 0.07
      const isRunning = dice >= 0.07 && dice < 0.09
      const isPaused = dice >= 0.09 && dice < 0.1
      const kind = !isLate && !isDown && random() < 0.5 ? 'cron' : 'simple'
      const period = isLate ? 86_400 : (PERIODS[below(PERIODS.length)] ?? 60)
      const agoOfSimple = isDown ? period + 7_200 + below(7_200) : isLate ? 86_400 + below(3_000) : below(period / 2)
      // A schedule of once a month or oftener has no run between then and now that would make it late.
      const ago = kind === 'cron' ? below(240) : agoOfSimple
      const usual = 10 ** (4 + random() * 6)
      let runs: Uint8Array = new Uint8Array(0)
      for (let run = below(31); run < 31; run++) {
        const kind = random() < 0.03 ? 'failed' : random() < 0.03 ? 'late' : 'ok'
        const duration = Math.round(usual * (0.5 + random()))
        runs = recordRun(runs, { kind, duration, missed: random() < 0.02 ? 1 : 0 })
      }
      change.run({
        id,
        publicId: Array.from({ length: 8 }, () => below(36).toString(36)).join(''),
        name: `${one(WHAT)} of ${one(OF)}, ${one(WHERE)}-${below(1_000)}`,
        tags: Array.from({ length: below(4) }, () => one(TAGS)).join(' '),
        kind,
        schedule: one(CRONS),
        tz: one(['UTC', 'Europe/Riga', 'America/New_York']),
        period,
        status: isDown ? 'down' : isPaused ? 'paused' : 'up',
      })
      count.run({
        counter: counter_id,
        last: now - ago * 1_000_000 - below(1_000_000),
        start: isRunning ? now - below(600_000_000) : null,
        duration: Math.round(usual),
        runs,
      })
    }
  })()
  database.run(
    "INSERT INTO events (check_id, n, created_at, old_status, new_status, reason, kind) SELECT checks.id, n_events + 1, $at, 'up', 'down', 'timeout', 'flip' FROM checks WHERE status = 'down'",
    [now - HOUR],
  )
  database.run("UPDATE checks SET n_events = n_events + 1 WHERE status = 'down'")
  database.close()
}
