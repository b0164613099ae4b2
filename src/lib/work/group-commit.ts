/**
 * Commits items that arrive at about the same time as one batch, with a single disk sync. Items that arrive during a commit form the next
 * batch.
 */

interface Waiting<Item, Outcome> {
  readonly item: Item
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** Maximum time to collect items, in seconds. Once this time has passed, no further turn of the event loop is awaited. */
const GATHERING_SECONDS = 0.005

export interface GroupCommitOptions<Item, Outcome> {
  /** Commits all items or none. The outcomes are in the same order as the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>
  /** maximum number of items in a batch */
  readonly batchLimit: number
  /** maximum total weight of a batch, unless it has only one item */
  readonly weightLimit: number
  readonly weigh: (item: Item) => number
  /** maximum number of waiting items; further items are rejected immediately */
  readonly queueLimit: number
  /** creates the error for an item if the queue is full */
  readonly queueFull: () => Error
  /** returns true for an error that would make every item fail, such as an unusable database */
  readonly failsAll: (error: unknown) => boolean
  /** called with the number of rejected items, including those that were rejected because the queue was full */
  readonly onRefused: (count: number) => void
  /** returns monotonic time in seconds, from any starting point */
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
   * Resolves when the item has been committed.
   * @throws the error from the commit, or `queueFull` if too many items are waiting
   */
  add(item: Item): Promise<Outcome> {
    if (this.#queue.length >= this.#options.queueLimit) {
      this.#options.onRefused(1)
      return Promise.reject(this.#options.queueFull())
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when no items are waiting. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather()
      await this.#commit(this.#queue.splice(0, this.#countNext()))
    }
    this.#running = null
  }

  /** Returns the number of queued items that fit into the next batch, which is at least one. */
  #countNext(): number {
    const { batchLimit, weightLimit, weigh } = this.#options
    let weight = 0
    const tooMany = this.#queue.findIndex(({ item }, index) => {
      weight += weigh(item)
      return index === batchLimit || (index > 0 && weight > weightLimit)
    })
    return tooMany < 0 ? this.#queue.length : tooMany
  }

  /**
   * Waits for turns of the event loop, but never for a timer, until a turn adds no items or the maximum time has passed. All requests that
   * arrive in a turn are parsed before the turn's immediates run. Clients that have just received a response send their next request one
   * turn later.
   */
  async #gather(): Promise<void> {
    const { batchLimit, stopwatch } = this.#options
    const began = stopwatch()
    let gathered = 0
    while (
      this.#queue.length > gathered &&
      this.#queue.length < batchLimit &&
      stopwatch() - began < GATHERING_SECONDS
    ) {
      gathered = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #commit(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome)
    } catch (error) {
      // An item that can't be committed must not cause the others to fail.
      if (batch.length > 1 && !this.#options.failsAll(error)) for (const waiting of batch) await this.#commit([waiting])
      else {
        this.#options.onRefused(batch.length)
        for (const { reject } of batch) reject(error)
      }
    }
  }
}
