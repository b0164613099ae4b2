/** How long the program takes from its spawn to its first answer, on no database yet and on one with checks. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { print, withSpread } from './figures.ts'
import { prepareChecks, startApp, stopApp } from './servers.ts'

const REPEATS = 5

/** @param directory a place for the databases; the caller removes it */
export async function measureStart(directory: string, checks: number): Promise<void> {
  const fresh: number[] = []
  for (let i = 0; i < REPEATS; i += 1) fresh.push(await startAndStop(mkdtempSync(join(directory, 'fresh-'))))
  print(`no database yet           ${withSpread(fresh, 0)} ms to the first answer`)

  const used = mkdtempSync(join(directory, 'used-'))
  const app = await startApp(used)
  await prepareChecks(app, checks)
  await stopApp(app)
  const existing: number[] = []
  for (let i = 0; i < REPEATS; i += 1) existing.push(await startAndStop(used))
  print(`database of ${String(checks).padStart(6)} checks ${withSpread(existing, 0)} ms to the first answer`)
}

async function startAndStop(directory: string): Promise<number> {
  const app = await startApp(directory)
  await stopApp(app)
  return app.startMilliseconds
}
