/** Writes the log section of a project file: pings, flips and alerts, as lines of JSON. */
import type { Flip } from '../../domain/check/flip.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project } from '../../domain/project.ts'
import type { FileCheck } from '../../domain/project-file/project-file.ts'
import { fileAlert, fileFlip, filePing } from '../../domain/project-file/values.ts'
import type { DeliveryPage, DeliveryPlace, LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

type Reads = Pick<Deps, 'store' | 'eventLoop'>
/** Array elements, as JSON. */
type Lines = AsyncGenerator<readonly string[]>

/** Number of bytes to read of each body while pages are being planned. Shorter bodies are then already complete. */
const SHORT_BYTES = 300
/** Maximum size of a page of a log, including bodies. Each page is read as a whole. */
const PAGE = { entries: 100, bytes: 1024 * 1024 }
const DELIVERIES_AT_ONCE = 500

/** @param checks the checks as they are in the file; log entries that are newer than a check are omitted */
export function exportedLog(
  deps: Reads,
  project: Project,
  checks: readonly FileCheck[],
  channelIds: readonly string[],
): readonly (readonly [name: string, lines: Lines])[] {
  return [
    ['pings', pingLines(deps, project, checks)],
    ['flips', flipLines(deps, checks)],
    ['alerts', alertLines(deps, checks, channelIds)],
  ]
}

async function* pingLines(deps: Reads, { pingLogLimit }: Project, checks: readonly FileCheck[]): Lines {
  const { store, eventLoop } = deps
  for (const { id, n_pings } of checks) {
    if (n_pings === 0) continue
    const kept = await eventLoop.step(() => store.pings.readLog(id, n_pings + 1, pingLogLimit, SHORT_BYTES))
    const lines = kept.filter(({ n }) => n > n_pings - pingLogLimit).toReversed()
    for (const page of inPages(lines)) {
      const pings = await readWhole(deps, id, page)
      yield pings.map((ping) => JSON.stringify(filePing(ping)))
    }
  }
}

/** @param lines oldest first */
function* inPages(lines: readonly LogLine[]): Generator<readonly LogLine[]> {
  let [page, bytes]: [LogLine[], number] = [[], 0]
  for (const line of lines) {
    if (page.length === PAGE.entries || (page.length > 0 && bytes + line.bodySize > PAGE.bytes)) {
      yield page
      page = []
      bytes = 0
    }
    page.push(line)
    bytes += line.bodySize
  }
  if (page.length > 0) yield page
}

/** Reads pings with their complete bodies. Skips pings that retention has removed in the meantime. */
async function readWhole({ store, eventLoop }: Reads, checkId: string, lines: readonly LogLine[]): Promise<Ping[]> {
  const first = lines[0]?.n ?? 0
  const last = lines.at(-1)?.n ?? 0
  const isWhole = lines.every(({ bodyStart, bodySize }) => (bodyStart?.length ?? 0) === bodySize)
  const whole = isWhole
    ? lines
    : await eventLoop.step(() => store.pings.readLog(checkId, last + 1, lines.length, Number.MAX_SAFE_INTEGER))
  return whole
    .filter(({ n }) => n >= first)
    .toSorted((a, b) => a.n - b.n)
    .map(({ bodyStart, ...ping }) => ({ ...ping, body: bodyStart }))
}

async function* flipLines({ store, eventLoop }: Reads, checks: readonly FileCheck[]): Lines {
  for (const { id, n_flips } of checks) {
    if (n_flips === 0) continue
    const flips: Flip[] = []
    for await (const page of readPages((after) => eventLoop.step(() => store.flips.list(id, {}, after)))) {
      flips.push(...page.filter(({ n }) => n <= n_flips))
    }
    yield flips.toReversed().map((flip) => JSON.stringify(fileFlip(flip)))
  }
}

async function* alertLines(deps: Reads, checks: readonly FileCheck[], channelIds: readonly string[]): Lines {
  const flips = new Map(checks.map(({ id, n_flips }) => [id, n_flips]))
  for (const channelId of channelIds) {
    for (const state of ['sent', 'failed'] as const) {
      const filter = { state, checkId: null, since: null }
      let before: DeliveryPlace | null = null
      do {
        const read: DeliveryPage = await deps.eventLoop.step(() =>
          deps.store.deliveries.read(channelId, filter, before, DELIVERIES_AT_ONCE),
        )
        yield read.entries
          .filter(({ delivery, status }) => {
            return status !== 'acknowledged' && delivery.eventN <= (flips.get(delivery.checkId) ?? 0)
          })
          .map(({ delivery, error }) => {
            const ended = state === 'sent' ? null : (error ?? '')
            return JSON.stringify(fileAlert({ ...delivery, error: ended }))
          })
        before = read.last
      } while (before !== null)
    }
  }
}
