/**
 * The cost of a wrapper around a job that does nothing: time, processor time and memory of `overdue run` and of others, from start to end.
 */
import { join } from 'node:path'
import { buildExecutable, ownTarget } from '../scripts/executable.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, withSpread } from './support/figures.ts'
import { startApp, stopServer } from './support/servers.ts'
import { type Aim, below, type Row, ratios } from './support/table.ts'

const START_MS = 300
const MEMORY_MB = 60

interface Wrapper {
  readonly name: string
  readonly command: readonly string[]
  /** one value for each round */
  readonly milliseconds: number[]
  readonly processorMs: number[]
  readonly megabytes: number[]
}

export async function measureRunStart(bench: Bench): Promise<Row[]> {
  const { directory, paths } = await bench.database(1)
  const [path = ''] = paths
  const app = await startApp(directory)
  const url = `http://127.0.0.1:${app.port}`
  const wrappers = await wrappersFor(bench.newDirectory(), url, path)
  const settings = { OVERDUE_URL: url, OVERDUE_SPOOL: bench.newDirectory() }
  // The first run of each reads its files from the disk.
  for (const wrapper of wrappers) await runOnce(wrapper.command, settings)
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    for (const { command, milliseconds, processorMs, megabytes } of wrappers) {
      const { wall, processor, memory } = await runOnce(command, settings)
      milliseconds.push(wall)
      processorMs.push(processor)
      megabytes.push(memory)
    }
  }
  await stopServer(app)
  return wrappers.map((wrapper) => rowOf(wrapper, wrappers.at(-1)))
}

/** Returns the wrappers: the executable first, and last the one with which the others are compared. */
async function wrappersFor(directory: string, url: string, path: string): Promise<Wrapper[]> {
  const executable = join(directory, 'overdue')
  await buildExecutable(ownTarget(), executable)
  const check = path.split('/').at(-1) ?? ''
  const ours = ['run', '--check', check, '--', 'true']
  const wrappers = [
    { name: '`overdue run`, executable', command: [executable, ...ours] },
    { name: '`overdue run`, from source', command: [process.execPath, 'src/main.ts', ...ours] },
    { name: '`overdue-run`, dash', command: ['dash', await shellVersion(directory, url), ...ours.slice(1)] },
  ]
  const runitor = Bun.which('runitor')
  if (runitor === null) progress('runitor is not on PATH: it is left out')
  else {
    const words = ['-api-url', `${url}/ping`, '-uuid', check, '--', 'true']
    wrappers.push({ name: 'runitor', command: [runitor, ...words] })
  }
  return wrappers.map((wrapper) => ({ ...wrapper, milliseconds: [], processorMs: [], megabytes: [] }))
}

async function shellVersion(directory: string, url: string): Promise<string> {
  const file = join(directory, 'overdue-run')
  await Bun.write(file, await fetch(`${url}/overdue-run`))
  return file
}

/**
 * Measures one run. Processor time and memory are those of the wrapper and of the processes it waits for; memory is that of the largest of
 * them. GNU time measures it, because a child of this process would begin with the memory of this one.
 */
async function runOnce(command: readonly string[], settings: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const file = join(settings.OVERDUE_SPOOL ?? '', 'kilobytes')
  const child = Bun.spawn(['time', '-f', '%M', '-o', file, ...command], {
    cwd: join(import.meta.dir, '..'),
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const status = await child.exited
  const wall = performance.now() - startedAt
  if (status !== 0) throw new Error(`${command[0]} ended with ${status}`)
  const processor = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e3
  return { wall, processor, memory: (Number(await Bun.file(file).text()) * 1024) / 1e6 }
}

function rowOf(wrapper: Wrapper, other: Wrapper | undefined): Row {
  const { name, milliseconds, processorMs, megabytes } = wrapper
  progress(`${name}: ${withSpread(milliseconds, 0)} ms, ${withSpread(megabytes, 0)} MB`)
  return {
    what: `\`true\` in ${name}`,
    figures: [
      { name: 'from start to end', values: milliseconds, digits: 0, unit: ' ms' },
      { name: 'processor', values: processorMs, digits: 0, unit: ' ms' },
      { name: 'memory', values: megabytes, digits: 0, unit: ' MB' },
    ],
    ratio:
      other === undefined || other === wrapper
        ? null
        : { values: ratios(milliseconds, other.milliseconds), to: other.name, digits: 2 },
    aim: name.endsWith('executable') ? aimOf(wrapper) : null,
  }
}

function aimOf({ milliseconds, megabytes }: Wrapper): Aim {
  const time = below(milliseconds, START_MS, 'time', ' ms')
  return { text: `${time.text}, memory ≤ ${MEMORY_MB} MB`, isMet: time.isMet && median(megabytes) <= MEMORY_MB }
}
