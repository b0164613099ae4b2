/** The cost of a command from its start to its end: one that only prints help, and one that reads a database. */
import type { Bench } from './support/bench.ts'
import { outputOf, startChild } from './support/children.ts'
import { progress, whole, withSpread } from './support/figures.ts'
import { databaseUrl } from './support/prepare.ts'
import { below, type Row, ratios } from './support/table.ts'

const HELP_MS = 120
const WITHIN_SECONDS = 60

interface Measured {
  readonly what: string
  readonly words: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  /** one value for each round */
  readonly milliseconds: number[]
}

export async function measureCommands(bench: Bench): Promise<Row[]> {
  const [checks = 0] = bench.options.checks
  const { directory } = await bench.database(checks)
  const settings = { DATABASE_URL: databaseUrl(directory) }
  const list = ['src/main.ts', 'check', 'list', '--project', 'bench']
  const bun: Measured = { what: '', words: ['-e', '0'], settings: {}, milliseconds: [] }
  const help: Measured = { what: 'overdue --help', words: ['src/main.ts', '--help'], settings: {}, milliseconds: [] }
  const lists: Measured = {
    what: `overdue check list, ${whole(checks)} checks`,
    words: list,
    settings,
    milliseconds: [],
  }
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    for (const { words, settings, milliseconds } of [bun, help, lists]) {
      milliseconds.push(await processorMs(words, settings))
    }
  }
  return [help, lists].map((command) => {
    const { what, milliseconds } = command
    progress(`${what}: ${withSpread(milliseconds, 0)} ms of processor time`)
    return {
      what: `processor time of \`${what}\``,
      figures: [{ name: '', values: milliseconds, digits: 0, unit: ' ms' }],
      ratio: { values: ratios(milliseconds, bun.milliseconds), to: '`bun -e 0`', digits: 1 },
      aim: command === help ? below(milliseconds, HELP_MS, 'time', ' ms') : null,
    }
  })
}

/** Measures processor time from the start of the process to its end. */
async function processorMs(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<number> {
  const child = startChild(words, settings)
  await outputOf(child, '', WITHIN_SECONDS)
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000
}
