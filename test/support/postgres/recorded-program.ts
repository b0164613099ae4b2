/** What a program has sent to PostgreSQL, and how it is sent again, as if that program still ran. */
import type { Queries } from '../../../src/store/engine/postgres/connection/session.ts'

/** Bytes are in hexadecimal digits. */
export type Written = string | number | null | { readonly hex: string }

export interface Statement {
  readonly text: string
  /** of its answer */
  readonly columns: readonly string[]
}

/** The index of a statement, and its values. */
export type Sent = readonly [statement: number, ...values: Written[]]

export interface Recording {
  /** ids of two checks whose deadline passes at the same time, unless they are pinged */
  readonly checks: { readonly down: string; readonly up: string }
  /** when the program judges that they are down */
  readonly deadline: string
  /** each text once */
  readonly statements: readonly Statement[]
  /** in this order */
  readonly stages: {
    /** a project, a channel and the checks are made */
    readonly setUp: readonly Sent[]
    /** pings of each kind, deliveries, and reads */
    readonly work: readonly Sent[]
    /** the checks are spared after an outage, and go down */
    readonly judge: readonly Sent[]
    /** a delivery is claimed, and its process ends */
    readonly claim: readonly Sent[]
    readonly upkeep: readonly Sent[]
  }
}

/** @returns columns that an answer no longer has; one sentence each */
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
 * Sends a stage as a program does some of whose transactions fail: what follows in each is left out.
 * @returns why they failed
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
