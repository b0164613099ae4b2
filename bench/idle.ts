/** The processor time of an idle server, with few checks and with many. */
import type { Bench } from './support/bench.ts'
import { fixed, progress, whole } from './support/figures.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

const SETTLE_MS = 5000

/** Measures all servers during the same seconds. */
export async function measureIdle(bench: Bench): Promise<Row[]> {
  const { checks: counts, idleSeconds } = bench.options
  const idle: { checks: number; pid: number; stop: () => Promise<void> }[] = []
  for (const checks of counts) {
    const { directory } = await bench.database(checks)
    const app = await startApp(directory)
    idle.push({ checks, pid: app.pid, stop: () => stopServer(app) })
  }
  await Bun.sleep(SETTLE_MS)
  const before = idle.map(({ pid }) => cpuSeconds(pid))
  const startedAt = performance.now()
  await Bun.sleep(idleSeconds * 1000)
  const seconds = (performance.now() - startedAt) / 1000
  const shares = idle.map(({ pid }, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) / seconds) * 100)
  await Promise.all(idle.map(({ stop }) => stop()))

  const [usual = Number.NaN] = shares
  return idle.map(({ checks }, index) => {
    const share = shares[index] ?? Number.NaN
    progress(`idle with ${whole(checks)} checks: ${fixed(share, 2)} % of a core`)
    return {
      what: `processor, idle for ${whole(idleSeconds)} s with ${whole(checks)} checks`,
      figures: [{ name: '', values: [share], digits: 2, unit: ' % of a core' }],
      ratio: index === 0 ? null : { values: [share / usual], to: `${whole(counts[0] ?? 0)} checks`, digits: 2 },
      aim: below([share], 1, 'share', ' %'),
    }
  })
}
