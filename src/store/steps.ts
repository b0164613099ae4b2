/** Work that may be long, in steps: transactions that each end soon, with room for others in between. */
import type { Database, Sql, Value } from './database.ts'

export interface StepTiming {
  /** Runs a step, one at a time, and gives others their turn before the next one. @throws whatever the step does */
  readonly step: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Seconds that only go forward, from whatever beginning. */
  readonly stopwatch: () => number
}

/** Nobody to be kept waiting: a step lasts until its work is done. */
export const UNTIMED: StepTiming = { step: (work) => work(), stopwatch: () => 0 }

/** With its sync a step stays well below what anybody notices; much shorter ones would be syncs and little else. */
const STEP_SECONDS = 0.01

/** @param isOver true when the step has lasted long enough, counted from when it got the database */
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
   * One statement for many rows, in their order. What was done before a failure remains.
   * @returns how many rows changed
   */
  async runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<number> {
    let [done, changed] = [0, 0]
    while (done < lists.length) {
      await this.write(async (sql, isOver) => {
        do {
          changed += await sql.run(statement, lists[done] ?? [])
          done += 1
        } while (done < lists.length && !isOver())
      })
    }
    return changed
  }

  #timer(): () => boolean {
    const { stopwatch } = this.timing
    const began = stopwatch()
    return () => stopwatch() - began >= STEP_SECONDS
  }
}
