/** Delivers the pings in the spool, in order. */
import { reasonOf } from '../lib/errors.ts'
import { keyMark, type Letter } from './letter.ts'
import type { Answer, PingServer, SendPing } from './ping.ts'
import type { Spool, Waiting } from './spool.ts'
import { lockSpool, type SpoolLock } from './spool-lock.ts'

/** Dependencies of code that sends pings. */
export interface SendingDeps {
  readonly server: PingServer
  /** null if no directory can be used for the spool */
  readonly spool: Spool | null
  readonly send: SendPing
  readonly userAgent: string
  /** milliseconds since 1970 */
  readonly now: () => number
  /** monotonic clock in milliseconds */
  readonly ticks: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** Prints one line to the job's output. */
  readonly warn: (line: string) => void
}

export interface FlushOptions {
  /** check whose pings are sent, see `checkMark`; null for all checks */
  readonly check: string | null
  /** Remaining milliseconds. At 0, nothing more is sent. */
  readonly remaining: () => number
  /** maximum time in milliseconds to wait for another process that is delivering pings */
  readonly patience: number
}

export interface FlushReport {
  readonly delivered: number
  /** number of removed pings, which the server rejected or which are too old */
  readonly dropped: number
  readonly left: number
  /** Reason why pings are left, or may be left; null if none are left. */
  readonly reason: string | null
  /** True if the spool itself is the reason, because it can't be read or locked. */
  readonly isUnusable: boolean
}

/** Maximum duration of one attempt, in milliseconds. */
export const TRY_MS = 5_000
/** Age in milliseconds at which the server rejects every ping. */
const AGE_MAX = 72 * 3_600_000
const LOCK_POLL_MS = 100
const NOTHING: FlushReport = { delivered: 0, dropped: 0, left: 0, reason: null, isUnusable: false }
const BUSY = 'another process delivers them'

/** Sends waiting pings. Never throws. If an error occurs, the result contains it as the reason why pings are left. */
export async function flushSpool(deps: SendingDeps, options: FlushOptions): Promise<FlushReport> {
  if (deps.spool === null) return NOTHING
  const flush = new Flush(deps, deps.spool, options)
  try {
    return await flush.run()
  } catch (error) {
    const reason = `the spool ${deps.spool.directory} can't be used: ${reasonOf(error)}`
    deps.warn(reason)
    return { ...flush.report(reason), isUnusable: true }
  }
}

/** Delivers all waiting pings, however long it takes. Sends nothing more to a server after a failed attempt. */
export function flushAll(deps: SendingDeps): Promise<FlushReport> {
  return flushSpool(deps, { check: null, remaining: () => TRY_MS, patience: TRY_MS })
}

class Flush {
  readonly #deps: SendingDeps
  readonly #spool: Spool
  readonly #options: FlushOptions
  /** names of pings that remain in the spool, with the reason for each */
  readonly #stay = new Map<string, string>()
  /** reason for each server that cannot be reached */
  readonly #away = new Map<string, string>()
  #delivered = 0
  #dropped = 0
  #left = 0

  constructor(deps: SendingDeps, spool: Spool, options: FlushOptions) {
    this.#deps = deps
    this.#spool = spool
    this.#options = options
  }

  async run(): Promise<FlushReport> {
    this.#left = (await this.#waiting()).length
    if (this.#left === 0) return this.report(null)
    const lock = await this.#lock()
    if (lock !== null) await this.#deliver(lock).finally(() => lock.release())
    this.#left = (await this.#waiting()).length
    const reason = lock === null ? BUSY : ([...this.#stay.values()].at(-1) ?? 'there was no time for more pings')
    return this.report(this.#left === 0 ? null : reason)
  }

  report(reason: string | null): FlushReport {
    return { delivered: this.#delivered, dropped: this.#dropped, left: this.#left, reason, isUnusable: false }
  }

  async #waiting(): Promise<Waiting[]> {
    const { check } = this.#options
    return (await this.#spool.list()).filter((file) => check === null || file.check === check)
  }

  async #lock(): Promise<SpoolLock | null> {
    const end = this.#deps.ticks() + Math.min(this.#options.patience, this.#options.remaining())
    for (;;) {
      const lock = await lockSpool(this.#spool.directory, this.#deps.now)
      if (lock !== null || this.#deps.ticks() >= end) return lock
      await this.#deps.pause(LOCK_POLL_MS)
    }
  }

  /**
   * Delivers pings until no new ones arrive. A process that adds a ping while another process has the lock relies on the other process to
   * deliver it.
   */
  async #deliver(lock: SpoolLock): Promise<void> {
    await this.#spool.tidy(this.#deps.now())
    for (;;) {
      const files = (await this.#waiting()).filter(({ name }) => !this.#stay.has(name))
      if (files.length === 0) return
      for (const file of files) {
        if (this.#options.remaining() <= 0 || !(await lock.renew())) return
        const reason = await this.#deliverOne(file)
        if (reason !== null) this.#stay.set(file.name, reason)
      }
    }
  }

  /** @returns the reason why the ping remains in the spool; null if it was delivered or dropped */
  async #deliverOne(file: Waiting): Promise<string | null> {
    const letter = await this.#spool.read(file)
    if (letter === 'gone') return null
    if (letter === null) return this.#setAside(file)
    if (this.#deps.now() - letter.ping.at > AGE_MAX) return this.#drop(file, letter, 'it is older than 72 hours')
    const place = serverOf(letter)
    const away = this.#away.get(place) ?? missingKey(letter, this.#deps.server)
    if (away !== null && away !== undefined) return away
    const answer = await this.#send(letter)
    if (answer.kind === 'refused') return this.#drop(file, letter, `the server refused it: ${answer.reason}`)
    if (answer.kind === 'away') {
      this.#away.set(place, answer.reason)
      return answer.reason
    }
    await this.#spool.remove(file)
    this.#delivered += 1
    return null
  }

  #send({ ping, serverUrl }: Letter): Promise<Answer> {
    const { server, userAgent } = this.#deps
    const timeout = Math.min(TRY_MS, this.#options.remaining())
    return this.#deps.send(ping, { ...server, url: serverUrl }, { timeout, isLate: true, userAgent })
  }

  async #setAside(file: Waiting): Promise<null> {
    await this.#spool.setAside(file)
    this.#deps.warn(`${file.name} in ${this.#spool.directory} is not a complete ping and was set aside`)
    return null
  }

  async #drop(file: Waiting, { ping: { target, action, at } }: Letter, reason: string): Promise<null> {
    await this.#spool.remove(file)
    const check = target.kind === 'url' ? hostOf(target.url) : target.kind === 'slug' ? target.slug : target.uuid
    this.#dropped += 1
    this.#deps.warn(`a ping of ${check} (${action}, ${new Date(at).toISOString()}) was dropped: ${reason}`)
    return null
  }
}

/** Returns a letter's server. A server that cannot be reached is skipped for all of its checks. */
function serverOf({ ping: { target }, serverUrl }: Letter): string {
  return target.kind === 'url' ? hostOf(target.url) : String(serverUrl)
}

/** Returns the host of a ping URL. The path is a secret and must not be shown. */
function hostOf(url: string): string {
  return URL.parse(url)?.origin ?? 'an unknown address'
}

function missingKey({ keyMark: needed }: Letter, { pingKey }: PingServer): string | null {
  if (needed === null || (pingKey !== null && keyMark(pingKey) === needed)) return null
  return pingKey === null ? 'their ping key is not set' : 'they belong to another ping key'
}

/** Formats the report of `overdue run --flush`. */
export function reportLine({ delivered, dropped, left, reason }: FlushReport): string {
  if (delivered + dropped + left === 0 && reason === null) return 'No ping waits.'
  const parts = [`${delivered} delivered`, ...(dropped > 0 ? [`${dropped} dropped`] : []), `${left} left`]
  return `${parts.join(', ')}${reason === null ? '.' : `: ${reason}.`}`
}
