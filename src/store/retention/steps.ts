/** Splits long work into short transactions, so that others can run in between. */
import type { Database, Sql, Value } from '../database.ts'

export interface StepTiming {
  /** Runs a step, one at a time, and lets others run before the next one. @throws what the step throws */
  readonly step: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Monotonic seconds. */
  readonly stopwatch: () => number
}

/** Without a time limit: a step lasts until its work is done. */
export const UNTIMED: StepTiming = { step: (work) => work(), stopwatch: () => 0 }

/** Short enough that nobody notices the wait; much shorter steps would spend their time on syncs. */
const STEP_SECONDS = 0.01

/** @param isOver true once the step has used its time, which starts when it gets the database */
export type Step<Result> = (sql: Sql, isOver: () => boolean) => Promise<Result>

export class Steps {
  constructor(
    readonly database: Pick<Database, 'read' | 'write'>,
    readonly timing: StepTiming,
  ) {}

  read<Result>(work: Step<Result>): Promise<Result> {
    return this.timing.step(() => this.database.read((sql) => work(sql, this.#timer())))
  }

  write<Result>(work: Step<Result>): Promise<Result> {
    return this.timing.step(() => this.database.write((sql) => work(sql, this.#timer())))
  }

  /**
   * Runs a statement with each list of values, in order. What it did before a failure remains.
   * @returns how many rows changed
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<number> {
    return this.each(lists, (sql, values) => sql.run(statement, values))
  }

  /**
   * Does the work for each item, in order. What it did before a failure remains.
   * @param work returns how many rows it changed; all of it is in one transaction
   * @param atEnd is called at the end of each transaction
   * @returns how many rows changed
   */
  async each<Item>(
    items: readonly Item[],
    work: (sql: Sql, item: Item) => Promise<number>,
    atEnd: (sql: Sql) => Promise<void> = async () => {},
  ): Promise<number> {
    let [done, changed] = [0, 0]
    while (done < items.length) {
      const step = await this.write(async (sql, isOver) => {
        let [next, rows] = [done, 0]
        for (const item of items.slice(done)) {
          rows += await work(sql, item)
          next += 1
          if (isOver()) break
        }
        await atEnd(sql)
        return { next, rows }
      })
      done = step.next
      changed += step.rows
    }
    return changed
  }

  #timer(): () => boolean {
    const { stopwatch } = this.timing
    const began = stopwatch()
    return () => stopwatch() - began >= STEP_SECONDS
  }
}
