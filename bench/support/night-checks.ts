/** Makes the checks of a prepared database run at night: nine in ten once, with a start, and one in ten every ten minutes. */
import { Database } from 'bun:sqlite'
import type { Signal } from '../../src/domain/ping/signal.ts'
import { addSeconds, type Instant } from '../../src/lib/time.ts'
import { inBatches } from '../../src/lib/work/batches.ts'
import { rules } from '../../src/services/common/rules.ts'
import { PING, withDeps } from './model.ts'
import { databaseFile, databaseUrl, type Prepared } from './prepare.ts'

const ONE_IN = 10
const PERIOD_SECONDS = 600
const HOURS = 14
const FIRST_HOUR = 18
const RUN_SECONDS = 300
const PINGS_AT_ONCE = 500

interface NightPing {
  readonly id: string
  readonly action: Signal['action']
  readonly at: Instant
}

/** @param evening 18:00 in UTC of the last night @param nights number of earlier nights */
export async function makeNightly({ directory, paths }: Prepared, evening: Instant, nights: number): Promise<void> {
  const ids = paths.map((path) => path.slice('/ping/'.length))
  setSchedules(directory, ids)
  const pings = Array.from({ length: nights + 1 }, (_, back) => addSeconds(evening, -back * 86_400))
    .flatMap((begin) => ids.flatMap((id, index) => pingsOf(id, index, begin, begin === evening)))
    .sort((a, b) => Number(a.at.epochNanoseconds - b.at.epochNanoseconds))
  await withDeps(databaseUrl(directory), async (deps) => {
    for (const some of inBatches(pings, PINGS_AT_ONCE)) {
      const arrivals = some.map(({ id, action, at }) => ({
        target: { kind: 'id', id } as const,
        signal: { ...PING, action },
        receivedAt: at,
      }))
      await deps.store.pings.commit(arrivals, rules(deps))
    }
  })
  putOffLooks(directory)
}

/** Makes looks due later, because a server that was up for long looks at few checks after a start. */
function putOffLooks(directory: string): void {
  using database = new Database(databaseFile(directory), { strict: true })
  database
    .prepare(`INSERT OR REPLACE INTO advice (check_id, project_id, look_after, looked_n, changed_at)
      SELECT id, project_id, $tomorrow, 0, created_at FROM checks`)
    .run({ tomorrow: (Date.now() + 86_400_000) * 1_000 })
}

function setSchedules(directory: string, ids: readonly string[]): void {
  using database = new Database(databaseFile(directory), { strict: true })
  const change = database.prepare(
    'UPDATE checks SET kind = $kind, schedule = $schedule, tz = $tz, timeout_seconds = $period, grace_seconds = 3600 WHERE id = $id',
  )
  database.transaction(() => {
    for (const [index, id] of ids.entries()) {
      const minute = minuteOf(index)
      const hour = (FIRST_HOUR + Math.floor(minute / 60)) % 24
      const kind = index % ONE_IN === 0 ? 'simple' : 'cron'
      change.run({ id, kind, schedule: `${minute % 60} ${hour} * * *`, tz: 'UTC', period: PERIOD_SECONDS })
    }
  })()
}

/** Returns the minute of the night in which the job of that check runs. */
function minuteOf(index: number): number {
  return (index * 37) % (HOURS * 60 - 10)
}

function pingsOf(id: string, index: number, begin: Instant, isLast: boolean): readonly NightPing[] {
  if (index % ONE_IN === 0) {
    const count = isLast ? (HOURS * 3_600) / PERIOD_SECONDS : 0
    return Array.from({ length: count }, (_, n) => ({
      id,
      action: 'success',
      at: addSeconds(begin, n * PERIOD_SECONDS + (index % PERIOD_SECONDS)),
    }))
  }
  const at = addSeconds(begin, minuteOf(index) * 60)
  return [
    { id, action: 'start', at },
    { id, action: 'success', at: addSeconds(at, RUN_SECONDS + (index % 60)) },
  ]
}
