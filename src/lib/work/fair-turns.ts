/**
 * Gives callers turns with a resource that only one caller can use at a time. Callers wait in lanes, and the lanes take turns. Within a
 * lane, parties take turns, so a party with many calls only delays itself. If a lane is full, a new call takes the place of a waiting call
 * from the party with the most, provided that the new caller's party has fewer.
 */

/** A caller's lane and party. */
export interface Turn<Lane extends string> {
  readonly lane: Lane
  /** name of the party; all of its callers count towards the party's limit */
  readonly party: string
}

export interface LaneLimits {
  /** maximum number of waiting calls in this lane */
  readonly waiting: number
  /** maximum number of waiting calls per party */
  readonly each: number
}

interface FairTurns<Lane extends string> {
  /**
   * Waits for a turn.
   * @returns false if too many callers are waiting, or if the caller's place in the queue was given to another party
   */
  acquire(turn: Turn<Lane>): Promise<boolean>
  /** Ends a turn. Must be called once after each `acquire` that returned true. */
  release(): void
}

export function createFairTurns<Lane extends string>(limits: Readonly<Record<Lane, LaneLimits>>): FairTurns<Lane> {
  const lanes = new Map<string, WaitingLane>(
    Object.entries<LaneLimits>(limits).map(([name, of]) => [name, new WaitingLane(of)]),
  )
  let isTaken = false
  return {
    async acquire({ lane, party }) {
      if (isTaken) return lanes.get(lane)?.wait(party) ?? false
      isTaken = true
      return true
    },
    release() {
      const next = [...lanes].find(([, lane]) => lane.size > 0)
      if (next === undefined) {
        isTaken = false
        return
      }
      const [name, lane] = next
      moveToEnd(lanes, name, lane)
      lane.callNext()
    },
  }
}

type Answer = (isAcquired: boolean) => void

class WaitingLane {
  readonly #limits: LaneLimits
  /** Waiting callers by party. The first party in the map gets the next turn. */
  readonly #parties = new Map<string, readonly Answer[]>()

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  get size(): number {
    return [...this.#parties.values()].reduce((sum, { length }) => sum + length, 0)
  }

  async wait(party: string): Promise<boolean> {
    const { waiting, each } = this.#limits
    const own = this.#parties.get(party) ?? []
    if (own.length >= each) return false
    if (this.size >= waiting && !this.#giveUpPlaceFor(own.length)) return false
    const turn = Promise.withResolvers<boolean>()
    this.#parties.set(party, [...own, turn.resolve])
    return turn.promise
  }

  callNext(): void {
    const [next] = this.#parties
    if (next === undefined) return
    const [party, [answer, ...others]] = next
    this.#parties.delete(party)
    if (others.length > 0) this.#parties.set(party, others)
    answer?.(true)
  }

  /**
   * Frees a place in the queue by turning away the last caller of the party with the most waiting calls.
   * @param has number of calls from the new caller's party that are already waiting
   * @returns false if no other party has more waiting calls than the new caller's party would have
   */
  #giveUpPlaceFor(has: number): boolean {
    const [largest] = [...this.#parties].toSorted(([, one], [, other]) => other.length - one.length)
    if (largest === undefined || largest[1].length <= has + 1) return false
    const [party, answers] = largest
    this.#parties.set(party, answers.slice(0, -1))
    answers.at(-1)?.(false)
    return true
  }
}

/** Moves a key to the end of a Map, which keeps its keys in insertion order. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
