/**
 * `kill -9` of `overdue run` at random moments, while its server is up, down, slow, full, busy, or hangs up before it answers: each run
 * that has ended is reported, in order, with its times. `SEED` repeats the moments, as far as the machine's timing allows.
 */
import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { environment } from '../../test/support/environment.ts'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'

const MAIN = `${import.meta.dir}/../../src/main.ts`
const LASTS_MS = byEffort({ short: 12_000, full: 60_000, long: 1_200_000 })
const CHECKS = ['a', 'b', 'c']
/** Number of runs of which one is killed. */
const RUNS_PER_KILL = 2
const LONGEST_LIFE_MS = 2_500
const MODES = ['up', 'up', 'down', 'slow', 'full', 'busy', 'hangs up'] as const
const LONGEST_MODE_MS = 1_500
const SLOW_MS = 700

type Mode = (typeof MODES)[number]

/** A ping that the server has accepted, whether or not its sender got the answer. */
interface Taken {
  readonly check: string
  readonly action: string
  readonly rid: string
  readonly at: number | null
  readonly body: string
  readonly receivedAt: number
}

interface Run {
  readonly check: string
  readonly number: number
  readonly began: number
  ended: number
  hasEnded: boolean
}

const random = new SeededRandom(SEED)
const folder: Folder = folderOnDisk()
afterAll(() => folder.remove())

class MoodyServer {
  readonly taken: Taken[] = []
  readonly #port: number
  #server: ReturnType<typeof Bun.serve> | null = null
  #mode: Mode = 'up'

  constructor() {
    this.#server = this.#listen(0)
    this.#port = this.#server.port ?? 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async become(mode: Mode): Promise<void> {
    this.#mode = mode
    if (mode === 'down') await this.#hangUp()
    else this.#server ??= this.#listen(this.#port)
  }

  async #hangUp(): Promise<void> {
    const server = this.#server
    this.#server = null
    await server?.stop(true)
  }

  #listen(port: number): ReturnType<typeof Bun.serve> {
    return Bun.serve({ port, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) })
  }

  async #answer(request: Request): Promise<Response> {
    const mode = this.#mode
    if (mode === 'full') return new Response('try again', { status: 503 })
    if (mode === 'busy') return new Response('', { status: 429 })
    this.taken.push(await takenOf(request))
    if (mode === 'slow') await Bun.sleep(SLOW_MS)
    if (mode === 'hangs up') {
      await this.#hangUp()
      if (this.#mode !== 'down') this.#server ??= this.#listen(this.#port)
    }
    return new Response('OK', { headers: { 'ping-body-limit': '1000' } })
  }
}

async function takenOf(request: Request): Promise<Taken> {
  const { pathname, searchParams } = new URL(request.url)
  const [check = '', action = ''] = pathname.split('/').slice(-2)
  const at = searchParams.get('at')
  const receivedAt = Date.now()
  const body = (await request.text()).trim()
  return { check, action, rid: searchParams.get('rid') ?? '', at: at === null ? null : Number(at), body, receivedAt }
}

function spawn(server: MoodyServer, words: readonly string[]) {
  const env = environment({ OVERDUE_URL: server.url, OVERDUE_PING_KEY: 'pkey', OVERDUE_SPOOL: folder.file('spool') })
  return Bun.spawn([process.execPath, MAIN, 'run', ...words], { env, stdout: 'pipe', stderr: 'ignore' })
}

/** Runs one after another of a check, as its timer starts them. */
async function runs(server: MoodyServer, check: string, until: number): Promise<Run[]> {
  const done: Run[] = []
  for (let number = 1; Date.now() < until; number += 1) {
    const run = { check, number, began: Date.now(), ended: 0, hasEnded: false }
    done.push(run)
    const child = spawn(server, ['--check', check, '--', 'sh', '-c', `echo ${number}`])
    const isKilled = random.happens(1 / RUNS_PER_KILL)
    const kill = isKilled ? setTimeout(() => child.kill('SIGKILL'), random.integer(LONGEST_LIFE_MS)) : undefined
    run.hasEnded = (await child.exited) === 0
    clearTimeout(kill)
    run.ended = Date.now()
  }
  return done
}

test(
  'each run that has ended is told in order with its times, whoever is killed and whatever the server does',
  async () => {
    const server = new MoodyServer()
    const until = Date.now() + LASTS_MS
    const all = Promise.all(CHECKS.map((check) => runs(server, check, until)))
    while (Date.now() < until) {
      await server.become(MODES[random.integer(MODES.length - 1)] ?? 'up')
      await Bun.sleep(random.integer(LONGEST_MODE_MS))
    }
    const done = (await all).flat()
    await server.become('up')
    const flush = spawn(server, ['--flush'])
    expect([await new Response(flush.stdout).text(), await flush.exited]).toEqual([
      expect.stringMatching(/^No ping|, 0 left\.$/m),
      0,
    ])
    await server.become('down')

    expect(
      CHECKS.flatMap((check) =>
        violations(
          server.taken.filter((ping) => ping.check === check),
          done.filter((run) => run.check === check),
        ),
      ),
    ).toEqual([])
    const left = readdirSync(folder.file('spool')).filter((name) => !name.endsWith('.new'))
    expect(left).toEqual([])
    const [ended, late] = [done.filter(({ hasEnded }) => hasEnded), server.taken.filter(({ at }) => at !== null)]
    process.stderr.write(
      `${done.length} runs, ${ended.length} ended, ${server.taken.length} pings, ${late.length} late\n`,
    )
    expect(Math.min(ended.length, done.length - ended.length, late.length)).toBeGreaterThan(2)
  },
  LASTS_MS + 60_000,
)

/** Lists the faults in the pings of one check, in the order in which the server accepted them. */
function violations(taken: readonly Taken[], done: readonly Run[]): string[] {
  const numbers = new Map(taken.filter(({ action }) => action !== 'start').map(({ rid, body }) => [rid, Number(body)]))
  // A start whose run was killed has no end that says its number.
  const known = taken.filter(({ rid }) => numbers.has(rid))
  const places = known.map(({ rid, action }) => (numbers.get(rid) ?? 0) * 2 + (action === 'start' ? 0 : 1))
  const told = new Set(places)
  return [
    ...places.flatMap((place, index) =>
      place < (places[index - 1] ?? 0) ? `${place} after ${places[index - 1]}` : [],
    ),
    ...done
      .filter(({ hasEnded }) => hasEnded)
      .flatMap(({ check, number }) =>
        [number * 2, number * 2 + 1].flatMap((place) => (told.has(place) ? [] : `${check} ${place} is lost`)),
      ),
    ...known.flatMap((ping) => wrongTime(ping, done[(numbers.get(ping.rid) ?? 0) - 1])),
  ]
}

function wrongTime({ check, action, at, receivedAt }: Taken, run: Run | undefined): string[] {
  if (run === undefined) return [`${check} has a run that nobody began`]
  const time = at ?? receivedAt
  return time >= run.began && time <= run.ended
    ? []
    : [`${check} ${run.number} ${action}: ${time - run.began} ms after it began`]
}
