/** Splits long upkeep work into short transactions, so that other work can run in between. */
import type { Database, Sql, Value } from './database.ts'

export interface StepTiming {
  /** Runs one step at a time, and lets other work run before the next step. @throws any error thrown by the step */
  readonly step: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** monotonic clock in seconds */
  readonly stopwatch: () => number
}

/** Timing without limits: each step continues until all of its work is done. */
export const UNTIMED: StepTiming = { step: (work) => work(), stopwatch: () => 0 }

/**
 * Duration of a step in seconds. It is short enough to go unnoticed, but long enough that most of the time is not spent on syncing to disk.
 */
const STEP_SECONDS = 0.01

/** @param isOver returns true once the step has used up its time, measured from when its transaction begins */
type Step<Result> = (sql: Sql, isOver: () => boolean) => Promise<Result>

/** Work on many items that is split into steps, each with its own transaction. */
interface Work<Item> {
  /** @returns false if nothing is left to do because another process has done the work */
  readonly atBegin?: (sql: Sql) => Promise<boolean>
  /** number of items for one call of `work`; at least 1 */
  readonly atOnce: (sql: Sql) => number
  /** @returns number of changed rows */
  readonly work: (sql: Sql, items: readonly Item[]) => Promise<number>
  readonly atEnd?: (sql: Sql) => Promise<void>
}

export class Steps {
  constructor(
    readonly database: Pick<Database, 'read' | 'write'>,
    readonly timing: StepTiming,
  ) {}

  read<Result>(work: Step<Result>): Promise<Result> {
    return this.timing.step(() => this.database.read((sql) => work(sql, this.#timer())))
  }

  write<Result>(work: Step<Result>): Promise<Result> {
    return this.timing.step(() => this.database.write((sql) => work(sql, this.#timer()), 'upkeep'))
  }

  /**
   * Runs a statement with each list of values, in order. After a failure, the completed steps are kept.
   * @returns number of changed rows
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<number> {
    return this.each(lists, {
      atOnce: () => 1,
      work: async (sql, [values = []]) => sql.run(statement, values),
    })
  }

  /**
   * Does the work for all items in order, a few at a time. After a failure, the completed steps are kept.
   * @returns number of changed rows
   */
  async each<Item>(items: readonly Item[], { atBegin, atOnce, work, atEnd }: Work<Item>): Promise<number> {
    let [done, changed] = [0, 0]
    while (done < items.length) {
      const step = await this.write(async (sql, isOver) => {
        let [next, rows] = [done, 0]
        if (atBegin && !(await atBegin(sql))) return { next: items.length, rows }
        do {
          const some = items.slice(next, next + atOnce(sql))
          rows += await work(sql, some)
          next += some.length
        } while (next < items.length && !isOver())
        await atEnd?.(sql)
        return { next, rows }
      })
      done = step.next
      changed += step.rows
    }
    return changed
  }

  /** Computes a value for each item in order, a few milliseconds at a time. */
  async map<Item, Result>(items: readonly Item[], of: (item: Item) => Result): Promise<Result[]> {
    const results: Result[] = []
    while (results.length < items.length) {
      await this.timing.step(async () => {
        const isOver = this.#timer()
        for (const item of items.slice(results.length)) {
          results.push(of(item))
          if (isOver()) break
        }
      })
    }
    return results
  }

  #timer(): () => boolean {
    const { stopwatch } = this.timing
    const began = stopwatch()
    return () => stopwatch() - began >= STEP_SECONDS
  }
}
