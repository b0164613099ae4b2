/**
 * Gathers what arrives together and commits it together: one sync of the disk for all. Knows neither SQL nor pings. While a
 * batch is being committed the next one gathers.
 */
import { Refusal } from '../domain/errors.ts'

interface Waiting<Item, Outcome> {
  readonly item: Item
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** A turn in which something else takes long, such as a list, is the last one that is waited for. */
const GATHERING_SECONDS = 0.005

export interface GroupCommitOptions<Item, Outcome> {
  /** Commits all items or none; outcomes in the order of the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>
  /** at most so many items in one batch */
  readonly batchLimit: number
  /** at most so many items waiting; more are refused at once */
  readonly queueLimit: number
  /** told how many items are refused for good, those included that found no room */
  readonly onRefused: (count: number) => void
  /** seconds that only go forward, from whatever beginning */
  readonly stopwatch: () => number
}

export class GroupCommit<Item, Outcome> {
  readonly #options: GroupCommitOptions<Item, Outcome>
  #queue: Waiting<Item, Outcome>[] = []
  #running: Promise<void> | null = null

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#options = options
  }

  /**
   * Resolves when the item is committed.
   * @throws whatever the commit failed with; Refusal `unavailable` when too many are waiting already
   */
  add(item: Item): Promise<Outcome> {
    if (this.#queue.length >= this.#options.queueLimit) {
      this.#options.onRefused(1)
      return Promise.reject(new Refusal('unavailable', 'too much is waiting for the disk, please try again'))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing is waiting any more. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather()
      const batch = this.#queue.splice(0, this.#options.batchLimit)
      await this.#commit(batch)
    }
    this.#running = null
  }

  /**
   * Waits for turns of the event loop, never for a timer, until one brings nothing more or they have taken long: a turn's
   * requests are parsed before its immediates run, and those who were answered last come back one turn later.
   */
  async #gather(): Promise<void> {
    const { batchLimit, stopwatch } = this.#options
    const began = stopwatch()
    let aboard = 0
    while (this.#queue.length > aboard && this.#queue.length < batchLimit && stopwatch() - began < GATHERING_SECONDS) {
      aboard = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #commit(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      // An item that cannot be committed must not take the others with it; a database that cannot be used takes all.
      if (batch.length > 1 && !(error instanceof Refusal)) for (const waiting of batch) await this.#commit([waiting])
      else {
        this.#options.onRefused(batch.length)
        for (const { reject } of batch) reject(error)
      }
    }
  }
}
