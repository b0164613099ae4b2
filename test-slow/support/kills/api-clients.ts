/** API clients that write to their own checks, one write after the other, and record acknowledged writes. */
import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import { applyEdit, type CheckFields, type CheckState, type Edit, type Expected, statesFound } from './edits.ts'
import type { Snapshot } from './snapshot.ts'

const CLIENTS = 4
const CHECKS_OF_A_CLIENT = 6
const LONGEST_PAUSE_MS = 30
/** Shortest time-out, long enough that no check times out. */
const SHORTEST_TIMEOUT_SECONDS = 86_400
const TIMEOUTS = 1_000

const EDITS = [
  ...(['update', 'update', 'update', 'upsert', 'pause', 'pause', 'resume', 'resume'] as const),
  ...(['success', 'success', 'fail', 'fail', 'start', 'delete'] as const),
]

interface Known {
  readonly name: string
  state: CheckState | null
  interrupted: Edit | null
}

export interface ApiClients {
  /** the expected state of every check, for `wrongEdits` */
  readonly expected: readonly Expected[]
  /** the ids of checks whose deletion was acknowledged */
  readonly deleted: ReadonlySet<string>
  /** number of deliveries that were deleted with their checks */
  readonly deliveriesDeleted: () => number
  /** number of acknowledged writes; refusals and pings don't count */
  readonly acknowledged: () => number
  run(random: SeededRandom, isOver: () => boolean): Promise<void>
  /** Continues from the state in the file, where an interrupted write is done or not. */
  learn(snapshot: Snapshot): void
}

/** @param channelIds the project's channels, which writes assign and unassign */
export function createApiClients(baseUrl: string, apiKey: string, channelIds: readonly string[]): ApiClients {
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: CHECKS_OF_A_CLIENT }, (_, check): Known => {
      return { name: `edited-${client + 1}-${check + 1}`, state: null, interrupted: null }
    }),
  )
  const all = clients.flat()
  const deleted = new Set<string>()
  let deletedDeliveries = 0
  let acknowledged = 0

  const recordDeletion = ({ id, nDeliveries }: CheckState) => {
    if (id !== null) deleted.add(id)
    deletedDeliveries += nDeliveries
  }

  const attempt = async (known: Known, edit: Edit) => {
    const { state: before } = known
    const { after, answer: wanted } = applyEdit(before, edit)
    known.interrupted = edit
    const response = await request(baseUrl, apiKey, known.name, before?.id ?? '', edit)
    // The connection broke: the outcome of the write is unknown until the server runs again.
    if (response === null) return
    const { status, id } = response
    if (status !== wanted) throw new Error(`${edit.kind} of ${known.name} was answered with ${status}, not ${wanted}`)
    known.interrupted = null
    known.state = after && { ...after, id: after.id ?? id }
    if (status < 300 && edit.kind !== 'ping') acknowledged += 1
    if (before !== null && after === null) recordDeletion(before)
  }

  const connection = async (checks: readonly Known[], random: SeededRandom, isOver: () => boolean) => {
    while (!isOver()) {
      const known = random.pick(checks)
      // A deletion comes first: on a slow machine there are too few writes to rely on chance.
      const edit = (): Edit =>
        known.state !== null && deleted.size === 0 ? { kind: 'delete' } : randomEdit(random, known.state, channelIds)
      if (known.interrupted === null) await attempt(known, edit())
      await Bun.sleep(random.integer(LONGEST_PAUSE_MS))
    }
  }

  return {
    expected: all,
    deleted,
    deliveriesDeleted: () => deletedDeliveries,
    acknowledged: () => acknowledged,
    async run(random, isOver) {
      await Promise.all(clients.map((checks) => connection(checks, random, isOver)))
    },
    learn(snapshot) {
      const found = statesFound(snapshot)
      for (const known of all) {
        const actual = found.get(known.name)?.[0] ?? null
        if (known.state !== null && actual === null) recordDeletion(known.state)
        known.state = actual
        known.interrupted = null
      }
    },
  }
}

function randomEdit(random: SeededRandom, state: CheckState | null, channelIds: readonly string[]): Edit {
  const fields = (): Required<CheckFields> => ({
    timeout: SHORTEST_TIMEOUT_SECONDS + random.integer(TIMEOUTS),
    tags: `t${random.integer(TIMEOUTS)} u${random.integer(TIMEOUTS)}`,
    desc: `edit ${crypto.randomUUID()}`,
    channels: channelIds.filter(() => random.integer(1) === 0).join(','),
  })
  const kind = state === null ? 'upsert' : random.pick(EDITS)
  switch (kind) {
    case 'upsert':
      return { kind, fields: fields() }
    case 'update': {
      const { timeout, tags, desc, channels } = fields()
      return { kind, fields: random.pick([{ timeout }, { tags, desc }, { channels }, { desc, channels }]) }
    }
    case 'pause':
    case 'resume':
    case 'delete':
      return { kind }
    default:
      return { kind: 'ping', action: kind }
  }
}

const PING_PATHS = { success: '', fail: '/fail', start: '/start' } as const

/** @returns the status of the answer and the id in it, if any; null when there was no answer */
async function request(baseUrl: string, apiKey: string, name: string, id: string, edit: Edit) {
  const api = `${baseUrl}/api/v3/checks/`
  const headers = { 'X-Api-Key': apiKey }
  const post = (url: string, body: object = {}) =>
    new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const requests = (): Request => {
    switch (edit.kind) {
      case 'upsert':
        return post(api, { name, grace: SHORTEST_TIMEOUT_SECONDS, unique: ['name'], ...edit.fields })
      case 'update':
        return post(`${api}${id}`, edit.fields)
      case 'pause':
      case 'resume':
        return post(`${api}${id}/${edit.kind}`)
      case 'delete':
        return new Request(`${api}${id}`, { method: 'DELETE', headers })
      case 'ping':
        return new Request(`${baseUrl}/ping/${id}${PING_PATHS[edit.action]}`)
    }
  }
  const answer = await fetch(requests())
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => null)
  if (answer === null) return null
  const { status, text } = answer
  const isNamed = edit.kind === 'upsert' && status < 300
  return { status, id: isNamed ? (JSON.parse(text) as { uuid: string }).uuid : null }
}
