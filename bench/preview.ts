/** The preview of a schedule while it is typed, with the last runs of a check judged: its duration, and the delay of pings. */
import type { Bench } from './support/bench.ts'
import { median, progress } from './support/figures.ts'
import { addNightlyCheck } from './support/nightly.ts'
import { longestPing } from './support/pinging.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import { below, type Row, ratios } from './support/table.ts'

const WARM_UP = 30
const PREVIEWS_A_ROUND = 60

const PREVIEW_MS = 20
const LONGEST_PING_MS = 20

interface Asked extends App {
  readonly apiKey: string
  readonly checkId: string
  readonly pingUrl: string
}

export async function measurePreview(bench: Bench): Promise<Row[]> {
  const prepared = await bench.database(bench.options.checks[0] ?? 1)
  const checkId = await addNightlyCheck(prepared)
  const app = await startApp(prepared.directory)
  const pingUrl = `http://127.0.0.1:${app.port}${prepared.paths[0]}`
  const asked: Asked = { ...app, apiKey: prepared.apiKey, checkId, pingUrl }
  for (let turn = 0; turn < WARM_UP; turn++) await ask(asked, turn)
  const [usual, slowest, processor, beside, alone]: [number[], number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
  ]
  for (let round = 1; round <= bench.options.rounds; round++) {
    const times: number[] = []
    const before = cpuSeconds(app.pid)
    for (let turn = 0; turn < PREVIEWS_A_ROUND; turn++) times.push(await ask(asked, turn))
    processor.push(((cpuSeconds(app.pid) - before) * 1000) / PREVIEWS_A_ROUND)
    usual.push(median(times))
    slowest.push(Math.max(...times))
    alone.push(await longestPing(asked.pingUrl, () => Bun.sleep(bench.options.seconds * 1000)))
    beside.push(
      await longestPing(asked.pingUrl, async () => {
        const until = performance.now() + bench.options.seconds * 1000
        for (let turn = 0; performance.now() < until; turn++) await ask(asked, turn)
      }),
    )
    progress(
      `round ${round}  a preview took ${usual.at(-1)?.toFixed(1)} ms, the longest ping beside ${beside.at(-1)?.toFixed(1)} ms`,
    )
  }
  await stopServer(app)
  const figure = (name: string, values: readonly number[]) => ({ name, values, digits: 1, unit: ' ms' })
  return [
    {
      what: 'preview of a schedule, with 30 runs of a log of 200 pings judged',
      figures: [figure('median', usual), figure('slowest', slowest), figure('processor', processor)],
      ratio: null,
      aim: below(usual, PREVIEW_MS, 'median', ' ms'),
    },
    {
      what: 'longest ping beside previews, asked for again and again',
      figures: [figure('', beside), figure('alone', alone)],
      ratio: { values: ratios(beside, alone), to: 'alone', digits: 1 },
      aim: below(beside, LONGEST_PING_MS, 'longest', ' ms'),
    },
  ]
}

/** Requests a preview. @param turn selects another schedule, like each keystroke @returns milliseconds */
async function ask({ port, apiKey, checkId }: Asked, turn: number): Promise<number> {
  const schedule = `${turn % 60} 2 * * 1-5`
  const sentAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/v3/checks/preview`, {
    method: 'POST',
    headers: { 'X-Api-Key': apiKey },
    body: JSON.stringify({ check: checkId, schedule, tz: 'Europe/Riga', zones: ['America/New_York'] }),
  })
  const { replay } = (await answer.json()) as { replay: { runs: unknown[] } | null }
  const took = performance.now() - sentAt
  if (replay?.runs.length !== 30) throw new Error(`a preview was answered with ${answer.status}`)
  return took
}
