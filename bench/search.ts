/**
 * The search over many bodies: the duration of an answer and the delay of pings beside it; and pings while the words of many bodies are
 * indexed, compared with the same server when all are indexed.
 */
import { Database } from 'bun:sqlite'
import { cpSync } from 'node:fs'
import { createDeps } from '../src/app/deps.ts'
import { readConfig } from '../src/config/config.ts'
import type { Deps } from '../src/services/common/deps.ts'
import { rules } from '../src/services/common/rules.ts'
import { createSearchIndex } from '../src/services/search/search-index.ts'
import { signInAdministrator } from './support/administrator.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, whole } from './support/figures.ts'
import { PING } from './support/model.ts'
import { keepPinging } from './support/pinging.ts'
import { databaseFile, databaseUrl, type Prepared } from './support/prepare.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { answersPerSecond, cpuMillisecondsPerThousand, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import { atLeast, below, type Row, ratios } from './support/table.ts'

const CHECKS = 1_000
const BODIES = { full: 100_000, quick: 5_000 }
const BODY_BYTES = 1_000
const BATCH = 500
const ANSWERS_A_ROUND = 20

const ANSWER_MS = 100
const LONGEST_PING_MS = 50
const RATE = 0.95

/** Queries: a rare word, one in every body, several, a phrase, a short beginning. */
const QUERIES = ['needle', 'finished', 'rowing boat', '"backup finished"', 'bac', 'missing']

export async function measureSearch(bench: Bench): Promise<Row[]> {
  const prepared = await bench.database(CHECKS)
  const bodies = bench.options.quick ? BODIES.quick : BODIES.full
  await withDeps(prepared, (deps) => fill(deps, prepared, bodies))
  const unread = bench.newDirectory()
  cpSync(prepared.directory, unread, { recursive: true })
  const cookie = await signInAdministrator(databaseUrl(prepared.directory))
  const before = sizeOf(prepared)
  const seconds = await withDeps(prepared, readAll)
  progress(`the words of ${whole(bodies)} bodies were read in ${whole(seconds)} s`)
  const grown = (sizeOf(prepared) - before) / (bodies * BODY_BYTES)
  const what = `${whole(bodies)} bodies of 1 kB`
  const app = await startApp(prepared.directory)
  const answers = await measureAnswers(bench, app, cookie, prepared, what)
  const rates = await measureBeside(bench, app, { ...prepared, directory: unread }, what)
  await stopServer(app)
  const size = { name: '', values: [grown * 100], digits: 0, unit: ' %' }
  return [...answers, ...rates, { what: `words of ${what}, of their size`, figures: [size], ratio: null, aim: null }]
}

async function withDeps<Result>({ directory }: Prepared, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const deps = await createDeps(readConfig({ DATABASE_URL: `sqlite:${databaseFile(directory)}` }), () => {})
  try {
    return await work(deps)
  } finally {
    await deps.closeCarriers()
    await deps.store.close()
  }
}

/** Fills logs that keep all bodies. */
async function fill(deps: Deps, { directory, paths }: Prepared, bodies: number): Promise<void> {
  using database = new Database(databaseFile(directory))
  database.run('UPDATE projects SET ping_log_limit = 1000')
  const ids = paths.map((path) => path.slice('/ping/'.length))
  const texts = new TextEncoder()
  for (let from = 0; from < bodies; from += BATCH) {
    const arrivals = Array.from({ length: BATCH }, (_, index) => ({
      target: { kind: 'id', id: ids[(from + index) % ids.length] ?? '' } as const,
      signal: { ...PING, method: 'POST', body: texts.encode(body(from + index)) },
      receivedAt: deps.now(),
    }))
    await deps.store.pings.commit(arrivals, rules(deps))
  }
}

const LETTERS = 'etaoinshrdlucmfwypvbgk'
const VOCABULARY = 5_000

/** Returns words of a vocabulary of some thousands, of which a few are in most bodies, with numbers. */
function body(index: number): string {
  let state = (index + 1) * 2_654_435_761
  const below = (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % bound
  }
  const words = [`backup finished job ${index}`, index % 50_000 === 7 ? 'needle' : 'rowing boat']
  let length = 0
  while (length < BODY_BYTES - 40) {
    const word =
      below(8) === 0 ? String(below(100_000)) : wordOf(Math.floor((below(VOCABULARY) * below(VOCABULARY)) / VOCABULARY))
    words.push(word)
    length += word.length + 1
  }
  return words.join(' ').slice(0, BODY_BYTES)
}

/** Returns a word of three to eight letters. */
function wordOf(number: number): string {
  let [rest, word] = [number * 7_919 + 48_611, '']
  for (let length = 3 + (number % 6); word.length < length; rest = Math.floor(rest / LETTERS.length) + number) {
    word += LETTERS[rest % LETTERS.length]
  }
  return word
}

/** Indexes all bodies. @returns seconds */
async function readAll(deps: Deps): Promise<number> {
  const began = performance.now()
  const run = createSearchIndex(deps)
  while ((await run()) !== null);
  return (performance.now() - began) / 1000
}

function sizeOf({ directory }: Prepared): number {
  using database = new Database(databaseFile(directory))
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  return Bun.file(databaseFile(directory)).size
}

async function measureAnswers(
  bench: Bench,
  app: App,
  cookie: string,
  { paths }: Prepared,
  what: string,
): Promise<Row[]> {
  const ask = async (query: string) => {
    const sentAt = performance.now()
    const path = `/search?${new URLSearchParams({ q: query })}`
    const answer = await fetch(`http://127.0.0.1:${app.port}${path}`, { headers: { cookie } })
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('id="found"'))
      throw new Error(`a search was answered with ${answer.status}`)
    return performance.now() - sentAt
  }
  const first: number[] = []
  for (const query of QUERIES) first.push(await ask(query))
  const processor = new Map<string, number[]>(QUERIES.map((query) => [query, []]))
  const usual = new Map<string, number[]>(QUERIES.map((query) => [query, []]))
  const beside: number[] = []
  for (let round = 1; round <= bench.options.rounds; round++) {
    for (const query of QUERIES) {
      const times: number[] = []
      const before = cpuSeconds(app.pid)
      for (let turn = 0; turn < ANSWERS_A_ROUND; turn++) times.push(await ask(query))
      processor.get(query)?.push(((cpuSeconds(app.pid) - before) * 1000) / ANSWERS_A_ROUND)
      usual.get(query)?.push(median(times))
    }
    const over = new AbortController()
    const pinging = keepPinging(`http://127.0.0.1:${app.port}${paths[0]}`, over.signal)
    for (const query of QUERIES) await ask(query)
    over.abort()
    beside.push(await pinging)
    progress(
      `round ${round}  ${QUERIES.map((query) => `${query} ${usual.get(query)?.at(-1)?.toFixed(1)} ms`).join(', ')}`,
    )
  }
  const figure = (name: string, values: readonly number[]) => ({ name, values, digits: 1, unit: ' ms' })
  const slowest = Math.max(...first)
  return [
    {
      what: `first answers after the start, of ${what}`,
      figures: [figure('slowest', [slowest])],
      ratio: null,
      aim: below([slowest], ANSWER_MS, 'slowest', ' ms'),
    },
    ...QUERIES.map((query) => {
      const values = usual.get(query) ?? []
      return {
        what: `search for ${query} in ${what}`,
        figures: [figure('', values), figure('processor', processor.get(query) ?? [])],
        ratio: null,
        aim: below(values, ANSWER_MS, 'time', ' ms'),
      }
    }),
    {
      what: `longest ping beside searches in ${what}`,
      figures: [figure('', beside)],
      ratio: null,
      aim: below(beside, LONGEST_PING_MS, 'longest', ' ms'),
    },
  ]
}

/** @param unread the same database before its words were indexed */
async function measureBeside(bench: Bench, app: App, unread: Prepared, what: string): Promise<Row[]> {
  const reading = await startApp(unread.directory)
  // The server whose turn it is not would index faster while nobody pings it.
  const only = async (running: App, other: App) => {
    process.kill(other.pid, 'SIGSTOP')
    process.kill(running.pid, 'SIGCONT')
  }
  const turn = (name: string, running: App, other: App): Turn => ({
    target: { name, port: running.port, pid: running.pid, paths: unread.paths },
    load: pingLoad(bench.options.connections[0] ?? 64),
    label: name,
    before: () => only(running, other),
  })
  const [withReading, without] = [turn('reading', reading, app), turn('read', app, reading)]
  const results = await takeTurns(bench, [withReading, without])
  for (const { pid } of [app, reading]) process.kill(pid, 'SIGCONT')
  await stopServer(reading)
  const rates = (of: Turn) => (results.get(of) ?? []).map(answersPerSecond)
  const processor = (of: Turn) => (results.get(of) ?? []).map(cpuMillisecondsPerThousand)
  const values = ratios(rates(withReading), rates(without))
  return [
    {
      what: `pings a second while the words of ${what} are read`,
      figures: [
        { name: '', values: rates(withReading), digits: 0, unit: '' },
        { name: 'processor of 1000', values: processor(withReading), digits: 1, unit: ' ms' },
        { name: 'with none to read', values: processor(without), digits: 1, unit: ' ms' },
      ],
      ratio: { values, to: 'none to read' },
      aim: atLeast(values, RATE, 'ratio'),
    },
  ]
}
