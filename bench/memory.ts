/** Resident memory: idle, after a great many pings, and after some quiet; with few checks and with many. */
import type { Bench } from './support/bench.ts'
import { tell, whole } from './support/figures.ts'
import { memoryOf } from './support/process-figures.ts'
import { drive, pingLoad } from './support/rounds.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Figure, type Row } from './support/table.ts'

const CONNECTIONS = 64
const SETTLE_MS = 5000
const QUIET_SECONDS = 10
/** At less than this rate the pings stop before their number is reached. */
const SLOWEST_PINGS_PER_SECOND = 2000

const IDLE_LIMIT_MB = 80
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
    contestant: { name: 'app', port: app.port, pid: app.pid, paths },
    load: pingLoad(CONNECTIONS),
    label: `${whole(checks)} checks`,
  }
  const { answers } = await drive(bench, turn, Math.max(60, pings / SLOWEST_PINGS_PER_SECOND), pings)
  if (answers < pings) bench.complain(`memory, ${turn.label}: only ${whole(answers)} pings were answered in time`)
  const after = memoryOf(app.pid)
  await Bun.sleep(QUIET_SECONDS * 1000)
  const quiet = memoryOf(app.pid)
  await stopServer(app)

  const row = (when: string, megabytes: number, limit: number | null, ...more: Figure[]): Row => {
    tell(`${whole(checks)} checks, ${when}: ${whole(megabytes)} MB`)
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
    row(`${loaded} and ${QUIET_SECONDS} quiet seconds`, quiet.residentMegabytes, limit),
  ]
}
