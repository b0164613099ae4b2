/** The time from the start of the program to its first answer, without a database and with databases of several sizes. */
import type { Bench } from './support/bench.ts'
import { progress, whole, withSpread } from './support/figures.ts'
import { startApp, stopServer } from './support/servers.ts'
import type { Row } from './support/table.ts'

export async function measureStart(bench: Bench): Promise<Row[]> {
  const { checks: counts, rounds } = bench.options
  const places: { on: string; directory: () => string; milliseconds: number[] }[] = [
    { on: 'no database yet', directory: bench.newDirectory, milliseconds: [] },
  ]
  for (const checks of counts) {
    const { directory } = await bench.database(checks)
    places.push({ on: `${whole(checks)} checks`, directory: () => directory, milliseconds: [] })
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { directory, milliseconds } of places) milliseconds.push(await startAndStop(directory()))
  }
  return places.map(({ on, milliseconds }) => {
    progress(`${on}: ${withSpread(milliseconds, 0)} ms to the first answer`)
    return {
      what: `from the spawn to the first answer, ${on}`,
      figures: [{ name: '', values: milliseconds, digits: 0, unit: ' ms' }],
      ratio: null,
      aim: null,
    }
  })
}

async function startAndStop(directory: string): Promise<number> {
  const app = await startApp(directory)
  await stopServer(app)
  return app.startMilliseconds
}
