/**
 * Stages the logs of a project's new checks in short transactions, so that a ping waits for at most one transaction. If logs are short, one
 * transaction contains the logs of several checks.
 */
import type { Flip } from '../../domain/check/flip.ts'
import type { ImportedCheck } from '../../domain/import/import-source.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { LogExtent } from '../../store/store.ts'
import type { Importing, LogCounts } from './importing.ts'
import { stagedBefore } from './resume.ts'

const CHECKS_AT_ONCE = 500
/**
 * Number of rows per transaction. A transaction takes about five milliseconds on SQLite. On PostgreSQL it takes fifteen, but no ping waits
 * for it. A transaction with fewer rows would hardly be faster, because of the disk sync and the round trips.
 */
const ROWS_AT_ONCE = 1_000
/** Maximum total size of bodies per transaction, in bytes. */
const BYTES_AT_ONCE = 512 * 1024

export interface StagedLogs {
  /** position of the last staged entry of each log, by check id; checks without a log are missing */
  readonly logs: ReadonlyMap<string, LogExtent>
  /** number of rows that this call has staged */
  readonly counts: LogCounts
}

/**
 * Stages logs, beginning where an earlier import stopped.
 * @throws Refusal `import-interrupted`; `import-stopped` if the signal is aborted
 */
export async function stageLogs(
  importing: Importing,
  projectId: string,
  checks: readonly ImportedCheck[],
): Promise<StagedLogs> {
  const { source } = importing
  const stager = new LogStager(importing, projectId)
  for (const batch of inBatches(checks, CHECKS_AT_ONCE)) {
    for (const [checkId, extent] of await stagedBefore(importing, batch)) stager.logs.set(checkId, extent)
    for (const check of batch) {
      importing.requireGoing()
      const { n, eventN } = stager.reached(check.id)
      for await (const flips of source.flips(check, eventN)) for (const flip of flips) await stager.addFlip(flip)
      for await (const pings of source.pings(check, n)) for (const ping of pings) await stager.addPing(ping)
    }
  }
  await stager.flush()
  return stager
}

interface OpenPart {
  readonly checkId: string
  readonly projectId: string
  readonly after: LogExtent
  readonly pings: Ping[]
  readonly flips: Flip[]
}

/**
 * Collects log entries, and stages them when there are enough for a transaction. The caller must add a log's entries in the order of their
 * numbers.
 */
class LogStager implements StagedLogs {
  readonly logs = new Map<string, LogExtent>()
  readonly counts = { pings: 0, flips: 0 }
  readonly #importing: Importing
  readonly #projectId: string
  readonly #parts = new Map<string, OpenPart>()
  #rows = 0
  #bytes = 0

  constructor(importing: Importing, projectId: string) {
    this.#importing = importing
    this.#projectId = projectId
  }

  reached(checkId: string): LogExtent {
    return this.logs.get(checkId) ?? { n: 0, eventN: 0 }
  }

  addFlip(flip: Flip): Promise<void> {
    this.#partOf(flip.checkId).flips.push(flip)
    this.logs.set(flip.checkId, { ...this.reached(flip.checkId), eventN: flip.n })
    this.counts.flips += 1
    return this.#added(0)
  }

  addPing(ping: Ping): Promise<void> {
    this.#partOf(ping.checkId).pings.push(ping)
    this.logs.set(ping.checkId, { ...this.reached(ping.checkId), n: ping.n })
    this.counts.pings += 1
    return this.#added(ping.body?.length ?? 0)
  }

  /** Stages the remaining entries. */
  async flush(): Promise<void> {
    const [rows, parts] = [this.#rows, [...this.#parts.values()]]
    if (rows === 0) return
    this.#parts.clear()
    this.#rows = 0
    this.#bytes = 0
    const { deps } = this.#importing
    await this.#importing.write(() => deps.store.imports.stageLogs(parts, deps.now()))
    this.#importing.wrote(rows)
    this.#importing.requireGoing()
  }

  #partOf(checkId: string): OpenPart {
    const known = this.#parts.get(checkId)
    if (known) return known
    const part = { checkId, projectId: this.#projectId, after: this.reached(checkId), pings: [], flips: [] }
    this.#parts.set(checkId, part)
    return part
  }

  async #added(bytes: number): Promise<void> {
    this.#rows += 1
    this.#bytes += bytes
    if (this.#rows >= ROWS_AT_ONCE || this.#bytes >= BYTES_AT_ONCE) await this.flush()
  }
}
