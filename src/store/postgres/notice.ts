/** What one process tells others: who it is, and some of the checks that have changed. */
import type { ToldCheck } from '../database.ts'

export const CHANNEL = 'overdue'
/** $1 notice. Sent outside of transactions that write: PostgreSQL lets those that tell wait for each other. */
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', $1)`

/** A payload has less than 8000 bytes, and a check takes 74. Whoever hears a notice looks for all that has changed, too. */
const CHECKS_TOLD = 100

export interface Notice {
  /** the process that tells */
  readonly from: string
  readonly changed: readonly ToldCheck[]
}

/** Collects what is told with the next notice. */
export class Untold {
  readonly #process: string
  /** projects by check */
  readonly #checks = new Map<string, string>()

  constructor(process: string) {
    this.#process = process
  }

  add(changed: readonly ToldCheck[]): void {
    for (const { projectId, checkId } of changed) {
      if (this.#checks.size >= CHECKS_TOLD) return
      this.#checks.set(checkId, projectId)
    }
  }

  /** @returns the notice */
  take(): string {
    const lines = Array.from(this.#checks, ([checkId, projectId]) => `${projectId} ${checkId}`)
    this.#checks.clear()
    return [this.#process, ...lines].join('\n')
  }
}

export function readNotice(payload: string): Notice {
  const [from = '', ...lines] = payload.split('\n')
  const changed = lines.flatMap((line) => {
    const [projectId, checkId] = line.split(' ')
    return projectId && checkId ? [{ projectId, checkId }] : []
  })
  return { from, changed }
}
