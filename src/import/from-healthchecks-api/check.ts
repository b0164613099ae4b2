/** Converts a check from the API, with details from its newest pings and its flips. */

import { applySpec, type Check, CheckSpec, newCheck, type StoredStatus } from '../../domain/check/check.ts'
import { CHECK_FIELDS, writtenFields } from '../../domain/check/fields.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedCheck } from '../../domain/import/import-source.ts'
import { pastRuns } from '../../domain/log/past-runs.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { problemInWords } from '../../domain/problem-words.ts'
import { listProblems } from '../../domain/schema.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { type ApiCheck, type ApiFlip, badgeKeyOf } from './answers.ts'
import { toFlips } from './flips.ts'

/** The data that the API returns about one check. */
interface AskedCheck {
  readonly id: string
  readonly api: ApiCheck
  /** pings in the order of `n`, without bodies */
  readonly log: readonly Ping[]
  /** newest first */
  readonly flips: readonly ApiFlip[]
}

/** The data of one check, converted for the import. */
export interface ToldCheck {
  /** the check; `channelIds` contains the ids that the API returned */
  readonly check: ImportedCheck
  /** flips in the order of `n` */
  readonly flips: readonly Flip[]
  readonly notes: readonly ImportNote[]
}

/** Settings that the API returns. Deprecated settings are left out, because they can be derived from others. */
const SETTINGS = Object.values(writtenFields(CHECK_FIELDS)).map(({ wire }) => wire)

/** Returns the settings as the body of an API request. Values that Overdue does not accept are omitted, with a note. */
function specOf(api: ApiCheck, project: string): { readonly spec: CheckSpec; readonly notes: readonly ImportNote[] } {
  const given = Object.fromEntries(SETTINGS.flatMap((name) => (Object.hasOwn(api, name) ? [[name, api[name]]] : [])))
  const problems = listProblems(CheckSpec, given, SETTINGS.length)
  const notes = problems.map((problem): ImportNote => {
    const reason = `The ${problemInWords(problem)}, so the check is imported without it.`
    return {
      kind: 'changed',
      subject: 'check',
      name: nameOf(api),
      project,
      reason,
      advice: 'Set it on the check page.',
    }
  })
  for (const { path } of problems) delete given[path.split('/')[1] ?? '']
  return { spec: given as CheckSpec, notes }
}

/** Returns the name to show in lists. The UUID is not shown, because it is a secret. */
export function nameOf({ name }: ApiCheck): string {
  return typeof name === 'string' && name.trim() !== '' ? name : 'unnamed'
}

/** @param project name of the project @param createdAt creation time, which the API does not return */
export function toCheck({ id, api, log, flips: listed }: AskedCheck, project: string, createdAt: Instant): ToldCheck {
  const { spec, notes } = specOf(api, project)
  const badgeKey = badgeKeyOf(api) ?? derivedUuid('badge of a check', id)
  const unpinged = applySpec(newCheck({ id, projectId: '', badgeKey, publicId: '', createdAt }), spec, false)
  const { projectId: _, ...settings } = unpinged
  const channelIds = (api.channels ?? '').split(',').filter((channel) => channel !== '')
  const check = { ...settings, ...stateOf(unpinged, api, log, listed), publicId: null, channelIds }
  return { check, flips: toFlips(id, listed, check.status, log), notes }
}

type State = Pick<
  Check,
  | 'status'
  | 'nPings'
  | 'nEvents'
  | 'lastPingAt'
  | 'lastSuccessAt'
  | 'lastStartAt'
  | 'lastStartOccurredAt'
  | 'lastStartRid'
  | 'lastDuration'
  | 'sparedUntil'
  | 'runs'
>

function stateOf(check: Check, api: ApiCheck, pings: readonly Ping[], flips: readonly ApiFlip[]): State {
  const start = api.started === true ? pings.findLast(({ kind }) => kind === 'start') : undefined
  const events = pings.map(({ kind, rid, receivedAt: at, occurredAt }) => ({ kind, rid, at, occurredAt }))
  return {
    status: storedStatus(api, flips),
    // Pings may have arrived since the list of checks was requested.
    nPings: Math.max(api.n_pings, pings.at(-1)?.n ?? 0),
    nEvents: flips.length,
    lastPingAt: lastPing(api, pings),
    lastSuccessAt: pings.findLast(({ kind }) => kind === 'success')?.receivedAt ?? null,
    lastStartAt: start?.receivedAt ?? null,
    lastStartOccurredAt: start?.occurredAt ?? null,
    lastStartRid: start?.rid ?? null,
    lastDuration: api.last_duration ? api.last_duration * 1_000_000 : null,
    sparedUntil: null,
    runs: pastRuns(check, check.createdAt, events),
  }
}

/** Returns the time of the last ping. For a check, the API returns this time in seconds. In the log, it is in microseconds. */
function lastPing({ last_ping: shown }: ApiCheck, pings: readonly Ping[]): Instant | null {
  if (shown === null) return null
  const at = Temporal.Instant.from(shown)
  const newest = pings.findLast(({ kind }) => kind === 'success' || kind === 'fail')?.receivedAt
  return newest !== undefined && Temporal.Instant.compare(newest, at) >= 0 ? newest : at
}

/** Returns the stored status. The API reports an overdue check as down even before the server has created the down flip. */
function storedStatus({ status }: ApiCheck, [newest]: readonly ApiFlip[]): StoredStatus {
  if (newest?.up === 1) return 'up'
  if (status === 'new' || status === 'paused') return status
  return newest === undefined ? 'new' : 'down'
}
