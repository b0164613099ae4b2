/** Surroundings of `src/run` in tests: a clock that only pauses and the test move, and a server with given answers. */
import type { SendingDeps } from '../../../src/run/flush.ts'
import type { Answer, RunPing } from '../../../src/run/ping.ts'
import { Spool } from '../../../src/run/spool.ts'

export const TAKEN: Answer = { kind: 'taken', bodyLimit: null }
export const AWAY: Answer = { kind: 'away', reason: 'connection refused' }
export const REFUSED: Answer = { kind: 'refused', reason: '404 not found' }

export const BEGIN = Date.UTC(2026, 2, 4, 12)
const [SERVER, PING_KEY] = ['https://overdue.example.org', 'pkey']

export interface HandSending {
  readonly deps: SendingDeps
  readonly spool: Spool
  /** pings that the server has accepted: `nightly start`, with ` late` and `: <body>` if they have those */
  readonly taken: string[]
  readonly warned: string[]
  /** each try, whatever the answer */
  readonly tries: RunPing[]
  /** answers of the server from now on */
  answer: (ping: RunPing) => Answer | Promise<Answer>
  advance(milliseconds: number): void
  /** Returns pings that wait on disk, in order. */
  waiting(): Promise<string[]>
}

/** @param directory of the spool; it need not exist */
export function handSending(
  directory: string,
  given: { readonly spool?: Spool; readonly pingKey?: string } = {},
): HandSending {
  let passed = 0
  const spool = given.spool ?? new Spool(directory)
  const sending: HandSending = {
    spool,
    taken: [],
    warned: [],
    tries: [],
    answer: () => TAKEN,
    advance: (milliseconds) => {
      passed += milliseconds
    },
    async waiting() {
      const letters = await Promise.all((await spool.list()).map((file) => spool.read(file)))
      return letters.map((letter) => (letter === null || letter === 'gone' ? String(letter) : wordsOf(letter.ping)))
    },
    deps: {
      server: { url: SERVER, pingKey: given.pingKey ?? PING_KEY },
      spool,
      userAgent: 'overdue-run/test',
      now: () => BEGIN + passed,
      ticks: () => passed,
      pause: async (milliseconds) => sending.advance(milliseconds),
      warn: (line) => void sending.warned.push(line),
      async send(ping, _server, { isLate }) {
        sending.tries.push(ping)
        const answer = await sending.answer(ping)
        if (answer.kind === 'taken') sending.taken.push(`${wordsOf(ping)}${isLate ? ' late' : ''}`)
        return answer
      },
    },
  }
  return sending
}

function wordsOf({ target, action, body }: RunPing): string {
  const check = target.kind === 'slug' ? target.slug : target.kind
  return `${check} ${action}${body.length > 0 ? `: ${Buffer.from(body)}` : ''}`
}

/** Makes a ping of the check `slug` at the current time of the hand's clock. */
export function pingOf(sending: HandSending, slug: string, action: RunPing['action'], body = ''): RunPing {
  const rid = '00000000-0000-4000-8000-000000000001'
  const target = { kind: 'slug', slug } as const
  return { target, create: null, action, rid, at: sending.deps.now(), body: Buffer.from(body) }
}
