/**
 * Turns at something that one caller has at a time. Callers wait in lanes, which take turns; within a lane the parties take turns, so
 * that whoever asks often waits for itself. A full lane gives a place of the party that has most of them to one that has fewer.
 */

/** Who waits, and where. */
export interface Turn<Lane extends string> {
  readonly lane: Lane
  /** the party: callers of one name share what a party may have */
  readonly party: string
}

export interface LaneLimits {
  /** calls that wait in this lane at once */
  readonly waiting: number
  /** of these, of one party */
  readonly each: number
}

interface FairTurns<Lane extends string> {
  /** Waits for the turn. @returns false when too many are waiting; also later, when a place is given to another party */
  acquire(turn: Turn<Lane>): Promise<boolean>
  /** Call it once after each `acquire` that returned true. */
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
  /** Who waits, by party in the order of their turns. */
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

  /** @param has how many places the newcomer has. @returns false when no party has more even after that */
  #giveUpPlaceFor(has: number): boolean {
    const [largest] = [...this.#parties].toSorted(([, one], [, other]) => other.length - one.length)
    if (largest === undefined || largest[1].length <= has + 1) return false
    const [party, answers] = largest
    this.#parties.set(party, answers.slice(0, -1))
    answers.at(-1)?.(false)
    return true
  }
}

/** A Map keeps the order of insertion. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
