/** Checks that an import creates or extends. */
import type { Check } from '../../domain/check/check.ts'
import { followingPublicId } from '../../domain/check/public-id.ts'
import type { Project } from '../../domain/project.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { OF_PUBLIC_ID } from '../checks/check-changes.ts'
import { freeCounterId } from '../checks/counters.ts'
import { openStagedIncidents } from '../incidents/imported.ts'
import type { ProjectExtension } from '../interface/imports.ts'
import type { Rules } from '../interface/rules.ts'
import { markLogs } from '../overgrown.ts'
import { CHECK_COLUMNS, COUNTER_COLUMNS, checkValues, counterValues, SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import { allOf } from '../sql/key-lists.ts'
import { KEYS } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { type ExtentRow, interrupted, readExtents } from './staged-logs.ts'

/** The checks that an import will create. */
export interface NewChecks extends Pick<ProjectExtension, 'checks' | 'logs'> {
  /** when the loop first judges each check */
  readonly alertAfter: readonly (Instant | null)[]
}

/** How many entries were imported with the checks. */
interface ImportedLogs {
  readonly pings: number
  readonly flips: number
}

/**
 * Returns the checks together with the times at which to judge them first. Parsing schedules takes long, so it must be done before any
 * transaction.
 */
export async function preparedChecks(
  steps: Steps,
  { checks, logs }: Pick<NewChecks, 'checks' | 'logs'>,
  { alertAfter }: Pick<Rules, 'alertAfter'>,
): Promise<NewChecks> {
  return { checks, logs, alertAfter: await steps.map(checks, ({ check }) => alertAfter(check, null)) }
}

/**
 * Creates checks for the staged logs. The caller must have locked the imports and the project.
 * @param channelIds the project's channels; a check is not assigned to any others
 * @param as staged checks are invisible, see `staged-projects.ts`; for visible ones call {@link takeLogs} next
 * @throws Refusal `import-interrupted`
 */
export async function insertChecks(
  sql: Sql,
  projectId: string,
  { checks, logs, alertAfter }: NewChecks,
  channelIds: ReadonlySet<string>,
  as: 'shown' | 'staged',
): Promise<void> {
  const ids = checks.map(({ check }) => check.id)
  const extents = await readExtents(sql, ids)
  for (const [index, id] of ids.entries()) {
    const { n, eventN } = logs.get(id) ?? { n: 0, eventN: 0 }
    const row = extents[index]
    const isStaged = (row?.staged_n_pings ?? 0) === n && (row?.staged_n_events ?? 0) === eventN
    if (!isStaged || row?.is_leaving !== 0 || row.project_id !== null) throw interrupted()
  }
  const numbered = checks.map(({ check }, index) => withNumbers(check, extents[index]))
  const stored = await placed(sql, projectId, numbered)
  await writeChecks(sql, stored, extents, alertAfter, as)
  const assigned = checks.flatMap(({ check, channelIds: wanted }) =>
    [...new Set(wanted)].filter((id) => channelIds.has(id)).map((id) => [check.id, id]),
  )
  await insertRows(sql, 'check_channels', ['check_id', 'channel_id'], assigned)
}

const STAGED_OF = `
  SELECT checks.id, counters.n_pings, staged_logs.entries, staged_logs.bytes,
    (SELECT COUNT(*) FROM events WHERE events.check_id = staged_logs.check_id) AS flips
  FROM staged_logs
    JOIN checks ON checks.id = staged_logs.check_id JOIN counters USING (counter_id) WHERE staged_logs.project_id = $1`
const REMOVE_TAKEN = `
  DELETE FROM staged_logs
  WHERE project_id = $1 AND EXISTS (SELECT 1 FROM checks WHERE checks.id = staged_logs.check_id AND ${SHOWN_CHECK})`

interface StagedRow {
  id: string
  n_pings: number
  entries: number
  bytes: number
  flips: number
}

/**
 * Takes over the staged logs of a project's checks, which are now visible. Opens incidents for checks that are down, and marks logs that
 * are too long.
 * @param logBytes maximum size of the bodies in a log, in bytes
 */
export async function takeLogs(
  sql: Sql,
  { id, pingLogLimit }: Pick<Project, 'id' | 'pingLogLimit'>,
  logBytes: number,
): Promise<ImportedLogs> {
  const rows = await sql.all<StagedRow>(STAGED_OF, [id])
  const overgrown = rows.filter(({ entries, bytes }) => entries > pingLogLimit || bytes > logBytes)
  await markLogs(
    sql,
    overgrown.map((row) => ({ checkId: row.id, n: row.n_pings })),
  )
  await openStagedIncidents(sql, id)
  await sql.run(REMOVE_TAKEN, [id])
  return {
    pings: rows.reduce((sum, { entries }) => sum + entries, 0),
    flips: rows.reduce((sum, { flips }) => sum + flips, 0),
  }
}

/** Returns the check with numbers for its next ping and event that continue those of its log. */
function withNumbers(check: Check, row: ExtentRow | undefined): Check {
  const { nPings, nEvents } = check
  return {
    ...check,
    nPings: Math.max(nPings, row?.staged_n_pings ?? 0),
    nEvents: Math.max(nEvents, row?.staged_n_events ?? 0),
  }
}

const OF_PUBLIC_IDS = `SELECT public_id FROM checks WHERE public_id IN (${KEYS})`
const CREATION_TIMES = 'SELECT created_at FROM checks WHERE project_id = $1 AND created_at >= $2'

/** Returns the checks as they will be stored in the project. Each gets a public id and a unique creation time. */
async function placed(sql: Sql, projectId: string, checks: readonly Check[]): Promise<Check[]> {
  const times = checks.map((check) => ({ check, wanted: toMicroseconds(check.createdAt) }))
  const first = times.reduce((least, { wanted }) => Math.min(least, wanted), Number.MAX_SAFE_INTEGER)
  const rows = await sql.all<{ created_at: number }>(CREATION_TIMES, [projectId, first])
  const takenTimes = new Set(rows.map(({ created_at }) => created_at))
  await sql.lock('public ids')
  const found = await allOf<{ public_id: string }>(
    sql,
    OF_PUBLIC_IDS,
    checks.map(({ publicId }) => publicId),
  )
  const taken = new Set(found.map(({ public_id }) => public_id))
  const publicIds = new Set<string>()
  const stored: Check[] = []
  for (const { check, wanted } of times) {
    let createdAt = wanted
    while (takenTimes.has(createdAt)) createdAt += 1
    takenTimes.add(createdAt)
    let publicId = check.publicId
    let isTaken = taken.has(publicId)
    while (isTaken || publicIds.has(publicId)) {
      publicId = followingPublicId(publicId)
      isTaken = (await sql.get(OF_PUBLIC_ID, [publicId])) !== null
    }
    publicIds.add(publicId)
    stored.push({ ...check, projectId, publicId, createdAt: fromMicroseconds(createdAt) })
  }
  return stored
}

async function writeChecks(
  sql: Sql,
  checks: readonly Check[],
  extents: readonly ExtentRow[],
  alertAfter: readonly (Instant | null)[],
  as: 'shown' | 'staged',
): Promise<void> {
  const firstId = await freeCounterId(sql)
  const sign = as === 'staged' ? -1 : 1
  const isChained = sql.statements.moveStaged !== null
  await insertRows(
    sql,
    'counters',
    [...COUNTER_COLUMNS, 'counter_id', ...(isChained ? ['last_ping_id'] : [])],
    checks.map((check, index) => {
      const head = isChained ? [extents[index]?.head ?? null] : []
      return [...counterValues(check), firstId + index, ...head]
    }),
  )
  await insertRows(
    sql,
    'checks',
    CHECK_COLUMNS,
    checks.map((check, index) => checkValues(check, sign * (firstId + index), alertAfter[index] ?? null)),
  )
}
