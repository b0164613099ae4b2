/** Recorded statements of a program to PostgreSQL, and how to send them again, as if that program still ran. */
import type { Queries } from '../../../src/store/engine/postgres/connection/session.ts'

/** A value of a statement. Bytes are in hexadecimal digits. */
export type Written = string | number | null | { readonly hex: string }

export interface Statement {
  readonly text: string
  /** columns of its answer */
  readonly columns: readonly string[]
}

/** Index of a statement, and its values. */
export type Sent = readonly [statement: number, ...values: Written[]]

export interface Recording {
  /** ids of two checks whose deadline passes at the same time, unless they are pinged */
  readonly checks: { readonly down: string; readonly up: string }
  /** time at which the program judges that they are down */
  readonly deadline: string
  /** each distinct text once */
  readonly statements: readonly Statement[]
  /** stages in this order */
  readonly stages: {
    /** creates a project, a channel and the checks */
    readonly setUp: readonly Sent[]
    /** receives pings of each kind, sends deliveries, and reads */
    readonly work: readonly Sent[]
    /** spares the checks after an outage, and then sets them down */
    readonly judge: readonly Sent[]
    /** claims a delivery, and ends the process */
    readonly claim: readonly Sent[]
    readonly upkeep: readonly Sent[]
  }
}

/** Sends statements again. @returns columns that an answer no longer has; one sentence each */
export async function sendAgain(
  session: Queries,
  { statements }: Recording,
  stage: readonly Sent[],
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const [statement, ...values] of stage) {
    const { text = '', columns = [] } = statements[statement] ?? {}
    const answer = await session.query(text, values.map(fromWritten))
    const found = new Set((answer.columns ?? []).map(({ name }) => name))
    missing.push(...columns.filter((name) => !found.has(name)).map((name) => `${name} is not in the answer to ${text}`))
  }
  return missing
}

/**
 * Sends a stage as a program would if some of its transactions fail: the rest of a failed one is left out.
 * @returns reasons of the failures
 */
export async function sendOn(
  session: Queries,
  { statements }: Recording,
  stage: readonly Sent[],
): Promise<readonly string[]> {
  const failures: string[] = []
  let isFailed = false
  for (const [statement, ...values] of stage) {
    const text = statements[statement]?.text ?? ''
    if (isFailed && text !== 'COMMIT') continue
    try {
      await session.query(isFailed ? 'ROLLBACK' : text, values.map(fromWritten))
      isFailed = false
    } catch (error) {
      failures.push(String(error))
      isFailed = true
    }
  }
  return failures
}

function fromWritten(value: Written): string | number | null | Uint8Array {
  return value !== null && typeof value === 'object' ? Uint8Array.fromHex(value.hex) : value
}
