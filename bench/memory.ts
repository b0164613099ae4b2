/** Resident memory: idle, after many pings, and after some idle seconds; with few checks and with many. */
import type { Bench } from './support/bench.ts'
import { progress, whole } from './support/figures.ts'
import { memoryOf } from './support/process-figures.ts'
import { drive, pingLoad } from './support/rounds.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Figure, type Row } from './support/table.ts'

const CONNECTIONS = 64
const SETTLE_MS = 5000
const REST_SECONDS = 10
/** Rate below which the load ends before all pings are sent. */
const SLOWEST_PINGS_PER_SECOND = 2000

const IDLE_LIMIT_MB = 80
const RESTED_LIMIT_MB = 130
const MANY_CHECKS_LIMIT_MB = 400

export async function measureMemory(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const checks of bench.options.checks) rows.push(...(await measureWith(bench, checks)))
  return rows
}

async function measureWith(bench: Bench, checks: number): Promise<Row[]> {
  const { directory, paths } = await bench.database(checks)
  const { pings } = bench.options
  const app = await startApp(directory)
  await Bun.sleep(SETTLE_MS)
  const idle = memoryOf(app.pid)
  const turn = {
    target: { name: 'app', port: app.port, pid: app.pid, paths },
    load: pingLoad(CONNECTIONS),
    label: `${whole(checks)} checks`,
  }
  const { answers } = await drive(bench, turn, Math.max(60, pings / SLOWEST_PINGS_PER_SECOND), pings)
  if (answers < pings) bench.reportProblem(`memory, ${turn.label}: only ${whole(answers)} pings were answered in time`)
  const after = memoryOf(app.pid)
  await Bun.sleep(REST_SECONDS * 1000)
  const rested = memoryOf(app.pid)
  await stopServer(app)

  const row = (when: string, megabytes: number, limit: number | null, ...more: Figure[]): Row => {
    progress(`${whole(checks)} checks, ${when}: ${whole(megabytes)} MB`)
    const values = [megabytes]
    return {
      what: `resident memory, ${whole(checks)} checks, ${when}`,
      figures: [{ name: '', values, digits: 0, unit: ' MB' }, ...more],
      ratio: null,
      aim: limit === null ? null : below(values, limit, 'resident', ' MB'),
    }
  }
  const limit = checks >= 1_000_000 ? MANY_CHECKS_LIMIT_MB : null
  const loaded = `after ${whole(answers)} pings`
  const peak = { name: 'highest', values: [after.peakMegabytes], digits: 0, unit: ' MB' }
  return [
    row('idle', idle.residentMegabytes, limit ?? IDLE_LIMIT_MB),
    row(loaded, after.residentMegabytes, limit, peak),
    row(`${loaded} and ${REST_SECONDS} quiet seconds`, rested.residentMegabytes, limit ?? RESTED_LIMIT_MB),
  ]
}
