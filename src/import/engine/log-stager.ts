/**
 * Stages logs in short transactions, each followed by a pause, so that pings beside wait for one of them at most. A
 * transaction has entries of several checks if their logs are short.
 */
import type { Flip } from '../../domain/check/flip.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { LogExtent, LogPart } from '../../store/store.ts'
import type { ImportDeps } from './deps.ts'

/**
 * Of a transaction. They take about five milliseconds on SQLite, and fifteen on PostgreSQL, where no ping waits for them; fewer rows would take
 * hardly less time, because of the sync and the round trips.
 */
const ROWS_AT_ONCE = 1_000
/** Of their bodies. */
const BYTES_AT_ONCE = 512 * 1024
/** A server whose ping finds the file of SQLite locked tries again after two milliseconds. */
const LEAST_PAUSE_MS = 6
/** of the time that the transaction took, so that others get processor and disk, too */
const PAUSE_SHARE = 0.25

interface StagerOptions {
  /** An aborted one ends the work after the transaction under way. */
  readonly signal: AbortSignal | null
  /** told after each transaction */
  readonly onRows: (rows: number) => void
}

interface OpenPart {
  readonly checkId: string
  readonly projectId: string
  readonly after: LogExtent
  readonly pings: Ping[]
  readonly flips: Flip[]
}

export class LogStager {
  readonly #deps: Pick<ImportDeps, 'store' | 'now'>
  readonly #options: StagerOptions
  readonly #parts = new Map<string, OpenPart>()
  #rows = 0
  #bytes = 0

  constructor(deps: Pick<ImportDeps, 'store' | 'now'>, options: StagerOptions) {
    this.#deps = deps
    this.#options = options
  }

  /**
   * Adds entries of one log, in the order of their numbers, and stages what is enough for a transaction.
   * @param after how far the log was staged before these
   * @throws Refusal `import-interrupted`; `import-stopped` after the signal
   */
  async add(of: Pick<LogPart, 'checkId' | 'projectId'>, after: LogExtent, entries: Entries): Promise<LogExtent> {
    let reached = after
    for (const flip of entries.flips ?? []) {
      this.#partOf(of, reached).flips.push(flip)
      reached = { ...reached, flipN: flip.n }
      await this.#count(0)
    }
    for (const ping of entries.pings ?? []) {
      this.#partOf(of, reached).pings.push(ping)
      reached = { ...reached, n: ping.n }
      await this.#count(ping.body?.length ?? 0)
    }
    return reached
  }

  /** Stages what is left. @throws as {@link add} does */
  async flush(): Promise<void> {
    const [rows, parts] = [this.#rows, [...this.#parts.values()]]
    if (rows === 0) return
    this.#parts.clear()
    this.#rows = 0
    this.#bytes = 0
    const began = performance.now()
    await this.#deps.store.stageLogs(parts, this.#deps.now())
    this.#options.onRows(rows)
    requireGoing(this.#options.signal)
    await pauseAfter(began)
  }

  #partOf({ checkId, projectId }: Pick<LogPart, 'checkId' | 'projectId'>, after: LogExtent): OpenPart {
    const known = this.#parts.get(checkId)
    if (known) return known
    const part = { checkId, projectId, after, pings: [], flips: [] }
    this.#parts.set(checkId, part)
    return part
  }

  async #count(bytes: number): Promise<void> {
    this.#rows += 1
    this.#bytes += bytes
    if (this.#rows >= ROWS_AT_ONCE || this.#bytes >= BYTES_AT_ONCE) await this.flush()
  }
}

interface Entries {
  readonly pings?: readonly Ping[]
  readonly flips?: readonly Flip[]
}

/** Runs a transaction, and lets pings that wait have their turn. */
export async function paced<Result>(transaction: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await transaction()
  await pauseAfter(began)
  return result
}

/** @param began of a transaction that has ended now, by `performance.now()` */
function pauseAfter(began: number): Promise<void> {
  return Bun.sleep(Math.max((performance.now() - began) * PAUSE_SHARE, LEAST_PAUSE_MS))
}

/** @throws Refusal `import-stopped` */
export function requireGoing(signal: AbortSignal | null): void {
  if (signal?.aborted) throw new Refusal('import-stopped', 'the import was stopped; what it has read so far is kept')
}
