/**
 * Records rejected pings in memory. A loop writes the records to the database, so that pings don't have to wait for it. If a client
 * floods the server with requests for checks that do not exist, the memory for records fills up, and further rejected pings are not
 * recorded.
 */
import { refusedTail } from '../../domain/cause/refused.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'
import type { NotedRefusal } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** Maximum number of targets to record between two runs of the loop. Further targets are ignored. */
const TARGETS_NOTED = 1_000
/** Maximum length of a target, in UTF-16 code units. All existing ping keys and slugs are shorter. */
const TARGET_LIMIT = 200

export class RefusedNotes {
  readonly #deps: Pick<Deps, 'store' | 'now'>
  #noted = new Map<string, NotedRefusal>()

  constructor(deps: Pick<Deps, 'store' | 'now'>) {
    this.#deps = deps
  }

  /** @param tail see `lastTail` of `RefusedSignals`; may have any length */
  note(target: SignalTarget, tail: string): void {
    const key = target.kind === 'id' ? target.id : `${target.pingKey}/${target.slug}`
    const before = this.#noted.get(key)
    const isFull = before === undefined && this.#noted.size >= TARGETS_NOTED
    if (isFull || key.length > TARGET_LIMIT) return
    this.#keep(key, { target, n: 1, lastTail: refusedTail(tail), lastAt: this.#deps.now() })
  }

  /** Merges a newer record into a target's record: adds up the counts, and replaces the other details. */
  #keep(key: string, { n, ...rest }: NotedRefusal): void {
    this.#noted.set(key, { ...rest, n: n + (this.#noted.get(key)?.n ?? 0) })
  }

  /** Writes the records. If the write fails, they are kept for the next run. @returns null, to let the loop decide when to run again */
  async write(): Promise<Instant | null> {
    if (this.#noted.size === 0) return null
    const written = this.#noted
    this.#noted = new Map()
    try {
      await this.#deps.store.uncounted.addRefused([...written.values()], this.#deps.now())
    } catch (error) {
      const newer = this.#noted
      this.#noted = written
      for (const [key, noted] of newer) if (written.size < TARGETS_NOTED || written.has(key)) this.#keep(key, noted)
      throw error
    }
    return null
  }
}
