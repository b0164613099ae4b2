/** An import of a million pings into a database that a server uses: rows a second, and the delay of pings beside it. */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Bench } from './support/bench.ts'
import { outputOf, startChild } from './support/children.ts'
import { progress, whole } from './support/figures.ts'
import type { ImportJob, ImportResult } from './support/importer.ts'
import { keepPinging, warmUp } from './support/pinging.ts'
import { onPostgres } from './support/postgres.ts'
import { databaseUrl, prepareDatabase } from './support/prepare.ts'
import { preparePostgres } from './support/prepare-postgres.ts'
import { startAppOn, stopServer } from './support/servers.ts'
import { atLeast, below, type Row } from './support/table.ts'

const CHECKS_BEFORE = 1_000
const WHOLE = { projects: 10, checks: 1_000, pings: 100 }
const QUICK = { projects: 1, checks: 100, pings: 100 }
const ROWS_A_SECOND = 20_000
const LONGEST_MS = 50
const WITHIN_SECONDS = 600
const ALONE_MS = 10_000
const STOPPED_WITHIN_SECONDS = 10

export async function measureImports(bench: Bench): Promise<Row[]> {
  const job = bench.options.quick ? QUICK : WHOLE
  const onSqlite = await inTurns(bench, 'SQLite', job, async () => {
    const directory = bench.newDirectory()
    const prepared = await prepareDatabase(directory, CHECKS_BEFORE)
    const remove = async () => rmSync(directory, { recursive: true, force: true })
    return { url: databaseUrl(directory), paths: prepared.paths, remove }
  })
  const others = await onPostgres(async (server) => {
    let number = 0
    return inTurns(bench, server.version, job, async () => {
      number += 1
      await server.growLog()
      const { url, paths } = await preparePostgres(server, CHECKS_BEFORE, `imports_${number}`)
      return { url, paths, remove: async () => {} }
    })
  })
  return [...onSqlite, ...others]
}

interface Fresh {
  /** URL as in DATABASE_URL */
  readonly url: string
  readonly paths: readonly string[]
  readonly remove: () => Promise<void>
}

async function inTurns(
  bench: Bench,
  engine: string,
  job: Omit<ImportJob, 'url'>,
  prepare: () => Promise<Fresh>,
): Promise<Row[]> {
  const rows = job.projects * job.checks * job.pings
  const [rates, alone, beside, syncs]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    const { url, paths, remove } = await prepare()
    const app = await startAppOn(url)
    const pinged = `http://127.0.0.1:${app.port}${paths[0]}`
    const pause = bench.options.quick ? ALONE_MS / 10 : ALONE_MS
    await warmUp(pinged)
    const longestAlone = await keepPinging(pinged, AbortSignal.timeout(pause))
    const over = new AbortController()
    const syncer = startChild(['bench/support/syncer.ts', tmpdir()])
    const [{ seconds }, longest] = await Promise.all([
      runImport({ ...job, url }).finally(() => over.abort()),
      keepPinging(pinged, over.signal),
    ])
    const longestSync = Number(await outputOf(syncer, '', STOPPED_WITHIN_SECONDS))
    await stopServer(app)
    await remove()
    rates.push(rows / seconds)
    alone.push(longestAlone)
    beside.push(longest)
    syncs.push(longestSync)
    progress(
      `round ${round}  ${engine}: ${whole(rows / seconds)} rows/s; longest ping ${whole(longest)} ms, alone ${whole(longestAlone)} ms; longest sync of the disk ${whole(longestSync)} ms`,
    )
  }
  const of = `${whole(rows)} pings of ${whole(job.projects * job.checks)} checks`
  return [
    {
      what: `${engine}: import of ${of} into a database that is pinged`,
      figures: [{ name: '', values: rates, digits: 0, unit: ' rows/s' }],
      ratio: null,
      aim: atLeast(rates, ROWS_A_SECOND, 'rows/s'),
    },
    {
      what: `${engine}: longest ping beside it`,
      figures: [
        { name: '', values: beside, digits: 0, unit: ' ms' },
        { name: 'alone', values: alone, digits: 0, unit: ' ms' },
        { name: 'longest sync of the disk meanwhile', values: syncs, digits: 0, unit: ' ms' },
      ],
      ratio: null,
      aim: below(beside, LONGEST_MS, 'longest', ' ms'),
    },
  ]
}

async function runImport(job: ImportJob): Promise<ImportResult> {
  return JSON.parse(await outputOf(startChild(['bench/support/importer.ts']), JSON.stringify(job), WITHIN_SECONDS))
}
