/** Reads one project over the API: its checks with their state, channels and badges. */

import type { Flip } from '../../domain/check/flip.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedChannel, ImportedCheck, ImportedProject } from '../../domain/import/import-source.ts'
import { KEY_NAME_LIMIT, PING_LOG_LIMIT_MAX } from '../../domain/project.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { parseUuid } from '../../lib/secrets/uuid.ts'
import { type Clock, earlier, fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { isChannelKind } from '../../services/channels/channel-kinds.ts'
import {
  type ApiChannel,
  type ApiCheck,
  type ApiList,
  type ApiPing,
  isForReader,
  readBadges,
  readChannels,
  readChecks,
  readFlips,
  readPings,
  uuidOf,
} from './answers.ts'
import { nameOf, type ToldCheck, toCheck } from './check.ts'
import type { ApiClient } from './client.ts'
import { toLog } from './log.ts'
import { channelNote, standingNotes } from './notes.ts'

export interface ReadProject {
  readonly project: ImportedProject
  /** flips of each check, in the order of `n` */
  readonly flips: ReadonlyMap<string, readonly Flip[]>
  readonly notes: readonly ImportNote[]
  /** number of pings that the server returns */
  readonly pings: number
}

interface ReadProjectOptions {
  readonly host: string
  readonly key: string
  readonly keyName: string
  readonly name: string
  readonly now: Clock
  readonly onCheck?: (done: number, of: number) => void
}

/** Length of a log in Healthchecks, unless the operator allows more. */
const LOG_LIMIT = 100

/** @throws Refusal */
export async function readProject(client: ApiClient, options: ReadProjectOptions): Promise<ReadProject> {
  const { host, key, name, now } = options
  const listed = rowsOf(readChecks(await client.json('checks/')), host)
  const channelList = await client.json('channels/', [401, 403])
  if (channelList === null || listed.rows.some(isForReader)) throw readOnlyKey(options)
  const begin = now()
  const { told, notes: leftOut } = await readTold(client, listed, options)
  const createdAt = told.reduce((oldest, { since }) => earlier(oldest, since) ?? oldest, begin)
  const { channels, notes: ofChannels } = toChannels(rowsOf(readChannels(channelList), host), createdAt, name)
  const isHere = new Set(channels.map(({ id }) => id))
  const badges = readBadges(await client.json('badges/', [404]))
  const badgeKey = badges?.badgeKey ?? derivedUuid('badges of a project', key)
  const project: ImportedProject = {
    // A user's first project has a shorter badge key.
    id: parseUuid(badgeKey) ?? derivedUuid('project', badgeKey),
    name,
    slug: null,
    badgeKey,
    pingLogLimit: Math.min(Math.max(LOG_LIMIT, ...told.map(({ pings }) => pings)), PING_LOG_LIMIT_MAX),
    createdAt,
    isSearched: true,
    tz: null,
    members: [],
    keys: [{ kind: 'read-write', name: `from ${host}`.slice(0, KEY_NAME_LIMIT), createdAt: begin, text: key }],
    checks: told.map(({ check }, index) => withPlace(check, plus(createdAt, index), isHere)),
    channels,
    silences: [],
    statusPage: null,
    secret: null,
    badges: badges?.badges ?? [],
  }
  return {
    project,
    flips: new Map(told.map(({ check, flips }) => [check.id, flips])),
    notes: [...standingNotes(name), ...leftOut, ...told.flatMap(({ notes }) => notes), ...ofChannels],
    pings: told.reduce((sum, { pings }) => sum + pings, 0),
  }
}

function withPlace(check: ImportedCheck, createdAt: Instant, channels: ReadonlySet<string>): ImportedCheck {
  const channelIds = check.channelIds.filter((id) => channels.has(id))
  return { ...check, createdAt, channelIds }
}

function rowsOf<Row>(list: ApiList<Row> | null, host: string): ApiList<Row> {
  if (list !== null) return list
  throw new Refusal('api-foreign', `${host} does not answer as Healthchecks does: a list is missing`, { host })
}

function readOnlyKey({ host, keyName }: ReadProjectOptions): Refusal {
  const message = `${keyName} is read-only, so ${host} returns neither the UUIDs that jobs ping nor the logs`
  return new Refusal('api-key-refused', message, { host })
}

/** A check, and details of its log. The import requests the log again, because all logs together may not fit into memory. */
interface Told extends ToldCheck {
  readonly pings: number
  /** time of the oldest ping; null if there are no pings */
  readonly since: Instant | null
}

async function readTold(
  client: ApiClient,
  { rows, unreadable }: ApiList<ApiCheck>,
  options: ReadProjectOptions,
): Promise<{ readonly told: readonly Told[]; readonly notes: readonly ImportNote[] }> {
  const told = new Map<string, Told>()
  const notes: ImportNote[] = []
  const leaveOut = (check: string, reason: string) =>
    notes.push({ kind: 'left-out', subject: 'check', name: check, project: options.name, reason, advice: null })
  if (unreadable > 0) {
    leaveOut(
      `${unreadable} of ${unreadable + rows.length}`,
      'The format in which the server describes it is unknown here.',
    )
  }
  for (const [index, api] of rows.entries()) {
    const id = uuidOf(api)
    if (id === null) leaveOut(nameOf(api), 'The server does not send its UUID.')
    else if (told.has(id)) leaveOut(nameOf(api), 'The server lists it twice.')
    else {
      const read = await readCheck(client, id, api, options)
      if (read === null) leaveOut(nameOf(api), 'It was deleted while the import read it.')
      else told.set(id, read)
    }
    options.onCheck?.(index + 1, rows.length)
  }
  return { told: [...told.values()], notes }
}

/** @returns null if the check no longer exists */
async function readCheck(client: ApiClient, id: string, api: ApiCheck, { host, name, now }: ReadProjectOptions) {
  const flips = await client.json(`checks/${id}/flips/`, [404])
  if (flips === null) return null
  const log = api.n_pings === 0 ? [] : toLog(id, await readListed(client, id))
  const since = log[0]?.ping.receivedAt ?? null
  const read = { id, api, flips: rowsOf(readFlips(flips), host).rows, log: log.map(({ ping }) => ping) }
  return { ...toCheck(read, name, since ?? now()), pings: log.length, since }
}

/** Returns the newest pings of a check, as many as the server stores. The list is empty if the check was deleted. */
export async function readListed(client: ApiClient, checkId: string): Promise<readonly ApiPing[]> {
  return readPings(await client.json(`checks/${checkId}/pings/`, [404]))?.rows ?? []
}

function toChannels({ rows }: ApiList<ApiChannel>, createdAt: Instant, project: string) {
  const channels: ImportedChannel[] = []
  const notes: ImportNote[] = []
  for (const { id: given, kind: said, name } of rows) {
    const [id, kind] = [parseUuid(given), isChannelKind(said) ? said : null]
    if (id === null || kind === null) {
      const reason = `Overdue does not support integrations of kind ${said.slice(0, 20)}.`
      notes.push({ kind: 'left-out', subject: 'integration', name: name || 'unnamed', project, reason, advice: null })
      continue
    }
    channels.push({
      id,
      name,
      kind,
      settings: {},
      createdAt: plus(createdAt, channels.length),
      disabledReason: 'its settings were not part of the import',
      lastError: null,
      awaitsConfirmation: false,
      quietHours: null,
    })
    notes.push(channelNote({ name, kind }, project))
  }
  return { channels, notes }
}

function plus(instant: Instant, microseconds: number): Instant {
  return fromMicroseconds(toMicroseconds(instant) + microseconds)
}
