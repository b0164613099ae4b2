/** The cost of `overdue run` for a job that prints much: its speed compared with `COMMAND | cat`, and its memory. */
import type { Bench } from './support/bench.ts'
import { progress, whole, withSpread } from './support/figures.ts'
import { atLeast, below, type Row, ratios } from './support/table.ts'

const PING_KEY = '0123456789abcdefghijkl'
const LEAST_RATIO = 0.9
const MOST_MEGABYTES = 10

/** Last printed number: 889 MB, long enough that the start of a process hardly counts, or 100 MB. */
const NUMBERS = { speed: 100_000_000, memory: 12_400_000 }
const BYTES = 888_888_898

export async function measureRun(bench: Bench): Promise<Row[]> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('OK') })
  const settings = {
    OVERDUE_URL: `http://127.0.0.1:${server.port}`,
    OVERDUE_PING_KEY: PING_KEY,
    OVERDUE_SPOOL: bench.newDirectory(),
  }
  const client = `${process.execPath} src/main.ts run --check bench --`
  try {
    return await measure(bench, client, settings)
  } finally {
    await server.stop(true)
  }
}

async function measure(bench: Bench, client: string, settings: Readonly<Record<string, string>>): Promise<Row[]> {
  const [ours, cats, memory]: [number[], number[], number[]] = [[], [], []]
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    cats.push(await megabytesPerSecond(`seq 1 ${NUMBERS.speed} | cat | wc -c`, settings))
    ours.push(await megabytesPerSecond(`${client} seq 1 ${NUMBERS.speed} | wc -c`, settings))
    memory.push(await megabytesMore(client, settings))
  }
  progress(`overdue run: ${withSpread(ours, 0)} MB/s, cat: ${withSpread(cats, 0)} MB/s`)
  const speed = ratios(ours, cats)
  return [
    {
      what: `\`overdue run -- COMMAND\`, ${whole(BYTES / 1e6)} MB of lines into a pipe`,
      figures: [{ name: '', values: ours, digits: 0, unit: ' MB/s' }],
      ratio: { values: speed, to: '`COMMAND \\| cat`', digits: 2 },
      aim: atLeast(speed, LEAST_RATIO, 'ratio'),
    },
    {
      what: 'memory of `overdue run` that 100 MB of output into a pipe add',
      figures: [{ name: '', values: memory, digits: 1, unit: ' MB' }],
      ratio: null,
      aim: below(memory, MOST_MEGABYTES, 'memory', ' MB'),
    },
  ]
}

async function megabytesPerSecond(script: string, settings: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn(['sh', '-c', script], { env: { ...process.env, ...settings }, stdout: 'pipe' })
  const bytes = Number(await child.stdout.text())
  if (bytes !== BYTES) throw new Error(`${script} printed ${bytes} bytes in place of ${BYTES}`)
  return bytes / 1000 / (performance.now() - startedAt)
}

/** Measures the growth of the client's peak memory from the start of a command that prints 100 MB into a pipe to its end. */
async function megabytesMore(client: string, settings: Readonly<Record<string, string>>): Promise<number> {
  const most = "awk '/VmHWM/ { print $2 }' /proc/$PPID/status >&2"
  const script = `${most}; sleep 1; seq 1 ${NUMBERS.memory}; ${most}`
  const child = Bun.spawn(['sh', '-c', `${client} sh -c "$0" | cat >/dev/null`, script], {
    env: { ...process.env, ...settings },
    stderr: 'pipe',
  })
  const [before = 0, after = Number.NaN] = (await child.stderr.text()).trim().split('\n').map(Number)
  return (after - before) / 1024
}
