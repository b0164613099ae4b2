/**
 * `bun run bench`: measures Overdue's speed and resource usage on this machine, and prints a Markdown table. Servers that are compared take
 * turns in one run, because ratios depend less on other load than absolute figures. `--help` lists options.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { measureAdvice } from './advice.ts'
import { measureBodies } from './bodies.ts'
import { measureCommands } from './commands.ts'
import { measureDashboards } from './dashboards.ts'
import { measureDue } from './due.ts'
import { measureForms } from './forms.ts'
import { measureHostileImports } from './hostile-imports.ts'
import { measureIdle } from './idle.ts'
import { measureImports } from './imports.ts'
import { measureInstances } from './instances.ts'
import { measureLists } from './lists.ts'
import { measureMemory } from './memory.ts'
import { measureNight } from './night.ts'
import { measurePages } from './pages.ts'
import { measurePeers } from './peers.ts'
import { measurePings } from './pings.ts'
import { measurePostgres } from './postgres.ts'
import { measurePostgresMillion } from './postgres-million.ts'
import { measurePreview } from './preview.ts'
import { measureReads } from './reads.ts'
import { measureRetention } from './retention.ts'
import { measureRun } from './run.ts'
import { measureRunStart } from './run-start.ts'
import { measureSchedules } from './schedules.ts'
import { measureSearch } from './search.ts'
import { measureStart } from './start.ts'
import { measureStarve } from './starve.ts'
import { measureStatusPage } from './status-page.ts'
import { measureSteps } from './steps.ts'
import { type Bench, createDatabases, type Measure } from './support/bench.ts'
import { killAllChildren, stopAllChildren } from './support/children.ts'
import { print, progress, whole } from './support/figures.ts'
import { help, type Options, readOptions } from './support/options.ts'
import { markdown, type Row, ratioTable } from './support/table.ts'

/** Measures in this order: those that need an idle process or a fresh database come first. */
const MEASURES: ReadonlyMap<string, Measure> = new Map([
  ['schedules', measureSchedules],
  ['start', measureStart],
  ['commands', measureCommands],
  ['run', measureRun],
  ['run-start', measureRunStart],
  ['idle', measureIdle],
  ['due', measureDue],
  ['lists', measureLists],
  ['reads', measureReads],
  ['pages', measurePages],
  ['night', measureNight],
  ['preview', measurePreview],
  ['forms', measureForms],
  ['status-page', measureStatusPage],
  ['advice', measureAdvice],
  ['bodies', measureBodies],
  ['search', measureSearch],
  ['pings', measurePings],
  ['peers', measurePeers],
  ['postgres', measurePostgres],
  ['instances', measureInstances],
  ['retention', measureRetention],
  ['imports', measureImports],
  ['hostile-imports', measureHostileImports],
  ['starve', measureStarve],
  ['dashboards', measureDashboards],
  ['memory', measureMemory],
  ['postgres-million', measurePostgresMillion],
  ['steps', measureSteps],
])
/** Measures that run only when `--only` names them. */
const ON_DEMAND = ['advice', 'bodies', 'retention', 'imports', 'hostile-imports', 'starve', 'postgres-million', 'steps']

const options = optionsOrExit([...MEASURES.keys()])
const problems: string[] = []
const rows = await inTemporaryDirectory((directory) => measureAll(directory, options))
print(options.json ? JSON.stringify({ machine: machine(), options, problems, rows }) : report(rows))
if (problems.length > 0) process.exitCode = 1

function optionsOrExit(measures: readonly string[]): Options {
  try {
    const options = readOptions(process.argv.slice(2), measures, ON_DEMAND)
    if (options !== null) return options
    print(help(measures))
    process.exit(0)
  } catch (error) {
    progress(`${error instanceof Error ? error.message : error}\n\n${help(measures)}`)
    process.exit(2)
  }
}

/** Stops the child processes and removes the directory, even after an error or a signal. */
async function inTemporaryDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'overdue-bench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      killAllChildren()
      remove()
      process.exit(1)
    })
  }
  try {
    return await work(directory)
  } finally {
    await stopAllChildren()
    remove()
  }
}

async function measureAll(directory: string, options: Options): Promise<Row[]> {
  const databases = createDatabases(directory)
  const rows: Row[] = []
  for (const [name, measure] of MEASURES) {
    if (!options.only.includes(name)) continue
    const own = join(directory, name)
    mkdirSync(own)
    const newDirectory = () => mkdtempSync(join(own, 'd-'))
    const bench: Bench = {
      options,
      newDirectory,
      database: (checks) => databases(checks, newDirectory),
      reportProblem: (what) => problems.push(what),
    }
    progress(`\n${name}`)
    const startedAt = performance.now()
    rows.push(...(await measure(bench)))
    progress(`${name} took ${whole((performance.now() - startedAt) / 1000)} s`)
    rmSync(own, { recursive: true, force: true })
  }
  return rows
}

function machine(): string {
  const [processor, ...others] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${others.length + 1} × ${processor?.model ?? 'unknown processor'}, ${gigabytes} GB, Bun ${Bun.version}`
}

function report(rows: readonly Row[]): string {
  const { rounds, seconds } = options
  const head = `${machine()}; median (lowest–highest) of ${rounds} rounds of ${seconds} s where there are several`
  return [
    '',
    head,
    '',
    markdown(rows, !options.quick),
    ...[ratioTable(rows)].filter(Boolean).map((ratios) => `\n${ratios}`),
    ...problems.map((what) => `\nINVALID, so the figures mean nothing: ${what}`),
  ].join('\n')
}
