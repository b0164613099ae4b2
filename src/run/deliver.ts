/** Delivers a run's pings without delaying its command or making it fail. */
import { reasonOf } from '../lib/errors.ts'
import { flushSpool, type SendingDeps, TRY_MS } from './flush.ts'
import { checkMark, letterOf } from './letter.ts'
import type { Answer, RunPing } from './ping.ts'

/** Delivers pings. Never throws, and waits only for a limited time. */
export interface Courier {
  /**
   * Delivers a ping after the earlier ones of the same check. A start is tried once, and other pings are tried a few times. The answer is
   * `away` for a ping that is kept on disk.
   */
  send(ping: RunPing): Promise<Answer>
  /** Resolves when every ping is accepted, rejected or on disk, at most a few seconds after the last one was sent. */
  finish(): Promise<void>
}

/** Time limit in milliseconds for delivering the end of a run, including a start that is still waiting. */
const END_MS = 5_000
/** Pauses in milliseconds before the attempts to deliver an end. */
const PAUSES = [0, 500, 1_500]
/** A ping that is delayed by more than this many milliseconds includes the time of its event. */
const LATE_MS = 1_000
/** Time limit in milliseconds, at the end of a run, for delivering waiting pings of other runs. */
const REST_MS = 2_000
/** Number of milliseconds after which the client stops waiting, even for a disk that does not answer. */
const FINISH_MS = 10_000

export function createCourier(deps: SendingDeps): Courier {
  return new RunCourier(deps)
}

class RunCourier implements Courier {
  readonly #deps: SendingDeps
  readonly #queues = new Map<string, CheckQueue>()
  /** delivery of other runs' waiting pings while the command runs */
  #rest: Promise<unknown> = Promise.resolve()
  #isEnding = false
  #isServerThere = false

  constructor(deps: SendingDeps) {
    // Lines that were already printed. The start and the end of several checks cause the same message, which is printed once.
    const warned = new Set<string>()
    const warn = (line: string) => {
      if (!warned.has(line)) deps.warn(line)
      warned.add(line)
    }
    this.#deps = { ...deps, warn }
  }

  async send(ping: RunPing): Promise<Answer> {
    const isStart = ping.action === 'start'
    if (!isStart) this.#isEnding = true
    const answer = await this.#queueOf(ping).send(ping)
    this.#isServerThere = answer.kind === 'taken'
    if (isStart && this.#isServerThere) this.#rest = this.#flushRest(() => (this.#isEnding ? 0 : TRY_MS))
    return answer
  }

  async finish(): Promise<void> {
    let timer: Timer | undefined
    const end = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FINISH_MS)
    })
    await Promise.race([this.#finishAll(), end])
    clearTimeout(timer)
  }

  async #finishAll(): Promise<void> {
    this.#isEnding = true
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()))
    await this.#rest
    if (this.#isServerThere) await this.#flushRest(countdown(this.#deps, REST_MS))
  }

  /** Delivers other runs' pings, one flush at a time, because the lock belongs to this process and all its queues share it. */
  #flushRest(remaining: () => number): Promise<unknown> {
    return this.#rest.then(() => flushSpool(this.#deps, { check: null, remaining, patience: 0 }))
  }

  #queueOf(ping: RunPing): CheckQueue {
    const check = checkMark(letterOf(ping, this.#deps.server))
    const queue = this.#queues.get(check) ?? new CheckQueue(this.#deps, check)
    this.#queues.set(check, queue)
    return queue
  }
}

/** The queue of one check. A ping never overtakes an earlier ping of this run, or one that waits on disk. */
class CheckQueue {
  readonly #deps: SendingDeps
  readonly #check: string
  #last: Promise<Answer | null> = Promise.resolve(null)
  /** pings that are not on disk yet and that the server has neither accepted nor rejected */
  #held: RunPing[] = []

  constructor(deps: SendingDeps, check: string) {
    this.#deps = deps
    this.#check = check
  }

  send(ping: RunPing): Promise<Answer> {
    const isStart = ping.action === 'start'
    const remaining = countdown(this.#deps, isStart ? TRY_MS : END_MS)
    const answer = this.#last.then(() => this.#handOver(ping, isStart ? [0] : PAUSES, remaining))
    this.#last = answer
    return answer
  }

  async idle(): Promise<void> {
    await this.#last
  }

  async #handOver(ping: RunPing, pauses: readonly number[], remaining: () => number): Promise<Answer> {
    this.#held.push(ping)
    let answer: Answer = { kind: 'away', reason: 'there was no time to send it' }
    for (const milliseconds of pauses) {
      if (milliseconds > 0) await this.#deps.pause(Math.min(milliseconds, Math.max(remaining(), 0)))
      if (remaining() <= 0) break
      answer = await this.#tryOnce(remaining)
      if (answer.kind !== 'away') return answer
    }
    await this.#keep(answer, ping.action === 'start')
    return answer
  }

  /** @returns the answer to the last ping that was sent */
  async #tryOnce(remaining: () => number): Promise<Answer> {
    const waiting = await flushSpool(this.#deps, { check: this.#check, remaining, patience: TRY_MS })
    // Pings cannot wait in an unusable spool, so they are sent now. Delivering them out of order is better than losing them.
    if (waiting.left > 0 && !waiting.isUnusable) return { kind: 'away', reason: waiting.reason ?? '' }
    let answer: Answer | null = null
    for (let ping = this.#held[0]; ping !== undefined; ping = this.#held[0]) {
      answer = await this.#send(ping, remaining)
      if (answer.kind === 'away') return answer
      if (answer.kind === 'refused') this.#deps.warn(`the server refused the ping: ${answer.reason}`)
      this.#held.shift()
    }
    return answer ?? { kind: 'away', reason: '' }
  }

  #send(ping: RunPing, remaining: () => number): Promise<Answer> {
    const { send, server, userAgent, now } = this.#deps
    const isLate = now() - ping.at > LATE_MS
    return send(ping, server, { timeout: Math.min(TRY_MS, Math.max(remaining(), 1)), isLate, userAgent })
  }

  /** Moves held pings to disk. A start that cannot be written is held in memory until the end. */
  async #keep({ reason }: Extract<Answer, { kind: 'away' }>, isStart: boolean): Promise<void> {
    const { spool, server, now, warn } = this.#deps
    try {
      if (spool === null) throw new Error('set OVERDUE_SPOOL or HOME')
      for (let ping = this.#held[0]; ping !== undefined; ping = this.#held[0]) {
        const surplus = await spool.put(letterOf(ping, server), now())
        if (surplus > 0) warn(`the spool ${spool.directory} is full: the oldest ping was dropped`)
        this.#held.shift()
      }
      if (!isStart) warn(`the ping is kept in ${spool.directory}: ${reason}`)
    } catch (error) {
      const place = spool === null ? '' : ` in ${spool.directory}`
      if (!isStart) warn(`the ping is lost (${reason}), because it can't be kept${place}: ${reasonOf(error)}`)
    }
  }
}

/** Counts down from `milliseconds`. @returns a function that returns the remaining milliseconds */
function countdown({ ticks }: SendingDeps, milliseconds: number): () => number {
  const end = ticks() + milliseconds
  return () => end - ticks()
}
