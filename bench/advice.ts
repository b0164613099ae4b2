/**
 * The loop that looks at checks for advice, with a clock set by hand: its processor time, its delay, and its duration after an upgrade.
 * Then the delay of pings beside it.
 */
import { Database } from 'bun:sqlite'
import { cpSync } from 'node:fs'
import { systemClock } from '../src/app/system-clock.ts'
import { addSeconds, type Instant, toMicroseconds } from '../src/lib/time.ts'
import type { Deps } from '../src/services/common/deps.ts'
import { rules } from '../src/services/common/rules.ts'
import { createLooks } from '../src/services/looks/looks.ts'
import { assignChannel } from './support/assign-channel.ts'
import type { Bench } from './support/bench.ts'
import { fixed, progress, whole } from './support/figures.ts'
import { PING, withDeps } from './support/model.ts'
import { longestPing, warmUp } from './support/pinging.ts'
import { databaseFile, databaseUrl, type Prepared, prepareDatabase, syncToDisk } from './support/prepare.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

const SIZES = { full: { checks: 20_000, hours: 12 }, quick: { checks: 300, hours: 2 } }
/** Entries in the log of each check at its first look. */
const ENTRIES = 100
const MINUTES_OF_HOUR = 60
/** Grace time, long enough that no check goes down while the server runs. */
const GRACE_SECONDS = 6 * 3_600

const SHARE = 2
const LATEST_MINUTES = 15
const UPGRADE_MINUTES = 120
/** Duration of the measurement, in which the loop runs twice. */
const BESIDE_MS = 125_000
const LONGEST_PING_MS = 50

export async function measureAdvice(bench: Bench): Promise<Row[]> {
  const { checks, hours } = bench.options.quick ? SIZES.quick : SIZES.full
  const directory = bench.newDirectory()
  const began = addSeconds(systemClock(), -ENTRIES * 3_600)
  const prepared = await prepareDatabase(directory, checks, began)
  const hourly = makeHourly(prepared, began)
  await withDeps(databaseUrl(directory), (deps) => fill(deps, directory, hourly, began))
  const unseen = bench.newDirectory()
  cpSync(directory, unseen, { recursive: true })
  // Else the first syncs of the server write the copy, too, and its pings wait for that.
  syncToDisk(databaseFile(unseen))
  const looked = await withDeps(databaseUrl(directory), (deps) => {
    return lookOn(deps, directory, hourly, addSeconds(began, ENTRIES * 3_600), hours * MINUTES_OF_HOUR)
  })
  const rows = rowsOf(looked, `${whole(checks)} checks that are pinged hourly`)
  return bench.options.quick ? rows : [...rows, await measureBeside(prepared, unseen)]
}

/** Ids of the checks that are pinged in each minute of the hour. */
type Hourly = readonly (readonly string[])[]

/** Gives half of the checks a schedule, in three zones; all are as old as their log, and alert one integration. */
function makeHourly({ directory, paths }: Prepared, createdAt: Instant): Hourly {
  const ids = paths.map((path) => path.slice('/ping/'.length))
  using database = new Database(databaseFile(directory), { strict: true })
  const change =
    database.prepare(`UPDATE checks SET kind = $kind, schedule = $schedule, tz = $tz, timeout_seconds = 3600,
    grace_seconds = ${GRACE_SECONDS}, created_at = $createdAt WHERE id = $id`)
  database.transaction(() => {
    ids.forEach((id, index) => {
      const kind = index % 2 === 0 ? 'cron' : 'simple'
      const tz = ['UTC', 'Europe/Riga', 'America/New_York'][index % 3] ?? 'UTC'
      const schedule = `${index % MINUTES_OF_HOUR} * * * *`
      change.run({ id, kind, schedule, tz, createdAt: toMicroseconds(createdAt) + index })
    })
    // As in a database of an earlier version.
    database.run('DELETE FROM advice')
  })()
  return Array.from({ length: MINUTES_OF_HOUR }, (_, minute) => {
    return ids.filter((_id, index) => index % MINUTES_OF_HOUR === minute)
  })
}

async function fill(deps: Deps, directory: string, hourly: Hourly, from: Instant): Promise<void> {
  await assignChannel(deps, directory, from)
  for (let minute = 0; minute < ENTRIES * MINUTES_OF_HOUR; minute += 1) {
    await pingMinute(deps, hourly, addSeconds(from, minute * 60))
  }
}

/** Sends the pings of one minute since the beginning, half a minute after it. */
async function pingMinute(deps: Deps, hourly: Hourly, minute: Instant): Promise<void> {
  const receivedAt = addSeconds(minute, 30)
  const ids = hourly[Math.floor(minute.epochMilliseconds / 60_000) % MINUTES_OF_HOUR] ?? []
  const arrivals = ids.map((id) => ({ target: { kind: 'id', id } as const, signal: PING, receivedAt }))
  await deps.store.pings.commit(arrivals, rules(deps))
}

interface Looked {
  /** minutes of the clock until each check was looked at once */
  readonly upgradeMinutes: number
  /** processor time of the loop in these minutes, in seconds */
  readonly upgradeSeconds: number
  /** share of a core in the hours after that */
  readonly share: number
  /** greatest delay of a look, in minutes */
  readonly latestMinutes: number
  readonly looks: number
}

/** Advances the clock minute by minute. Checks are pinged in their minute, and the loop runs at its end. */
async function lookOn(deps: Deps, directory: string, hourly: Hourly, from: Instant, minutes: number): Promise<Looked> {
  let now = from
  const run = createLooks({ ...deps, now: () => now })
  using database = new Database(databaseFile(directory), { readonly: true })
  const due = database.query<{ at: number | null }, []>('SELECT MIN(look_after) AS at FROM advice')
  const unseen = database.query<{ count: number }, []>('SELECT COUNT(*) AS count FROM advice WHERE looked_n = 0')
  const nextMinute = async () => {
    await pingMinute(deps, hourly, now)
    now = addSeconds(now, 60)
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
  let [upgradeMinutes, upgradeSeconds] = [0, 0]
  do {
    upgradeSeconds += await nextMinute()
    upgradeMinutes += 1
  } while ((unseen.get()?.count ?? 0) > 0)
  progress(`looked at all after ${upgradeMinutes} minutes, in ${fixed(upgradeSeconds, 1)} s of the processor`)
  const { looks } = deps.measurements
  const before = looks.count
  let [seconds, latest] = [0, 0]
  for (let minute = 1; minute <= minutes; minute += 1) {
    seconds += await nextMinute()
    // Work of this minute that is left waits for the next one.
    const at = due.get()?.at ?? null
    if (at !== null) latest = Math.max(latest, (toMicroseconds(now) - at) / 60e6)
    if (minute % MINUTES_OF_HOUR === 0)
      progress(`hour ${minute / MINUTES_OF_HOUR}: ${whole(looks.count - before)} looks`)
  }
  return {
    ...{ upgradeMinutes, upgradeSeconds, share: (seconds / (minutes * 60)) * 100 },
    ...{ latestMinutes: latest, looks: looks.count - before },
  }
}

function rowsOf({ upgradeMinutes, upgradeSeconds, share, latestMinutes, looks }: Looked, what: string): Row[] {
  const row = (words: string, name: string, value: number, unit: string, limit: number, digits = 0): Row => ({
    what: `${words}, ${what}`,
    figures: [{ name: '', values: [value], digits, unit }],
    ratio: null,
    aim: below([value], limit, name, unit),
  })
  return [
    row('until all were looked at after an upgrade', 'time', upgradeMinutes, ' min', UPGRADE_MINUTES),
    {
      what: `processor time of these looks, ${what}`,
      figures: [{ name: '', values: [upgradeSeconds], digits: 1, unit: ' s' }],
      ratio: null,
      aim: null,
    },
    row(`processor for ${whole(looks)} looks after that`, 'share', share, ' % of a core', SHARE, 2),
    row('the latest look', 'latest', latestMinutes, ' min', LATEST_MINUTES, 1),
  ]
}

/** @param unseen the same database before any look */
async function measureBeside({ paths }: Prepared, unseen: string): Promise<Row> {
  const app = await startApp(unseen)
  const url = `http://127.0.0.1:${app.port}${paths[0]}`
  await warmUp(url)
  const beside = await longestPing(url, () => Bun.sleep(BESIDE_MS))
  await stopServer(app)
  return {
    what: `longest ping while ${whole(paths.length)} checks are looked at, a second each minute`,
    figures: [{ name: '', values: [beside], digits: 0, unit: ' ms' }],
    ratio: null,
    aim: below([beside], LONGEST_PING_MS, 'longest', ' ms'),
  }
}
