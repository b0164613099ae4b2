/** Clients of the API, each with checks of its own, that do one write after the other and remember what was acknowledged. */
import type { Dice } from '../dice.ts'
import { applyEdit, type Edit, type Expected, type Facts, factsFound, type Wish } from './edits.ts'
import type { Evidence } from './evidence.ts'

const CLIENTS = 4
const CHECKS_OF_A_CLIENT = 6
const LONGEST_PAUSE_MS = 30
/** Long enough for silence to play no part. */
const SHORTEST_TIMEOUT_SECONDS = 86_400
const TIMEOUTS = 1_000

const EDITS = [
  ...(['update', 'update', 'update', 'upsert', 'pause', 'pause', 'resume', 'resume'] as const),
  ...(['success', 'success', 'fail', 'fail', 'start', 'delete'] as const),
]

interface Known {
  readonly name: string
  facts: Facts | null
  underWay: Edit | null
}

export interface Editor {
  /** what every check should be, in the words of `wrongEdits` */
  readonly expected: readonly Expected[]
  /** the ids of checks whose deletion was acknowledged */
  readonly deleted: ReadonlySet<string>
  /** deliveries that went with the checks that were deleted */
  readonly deliveriesDeleted: () => number
  /** writes to the API that were acknowledged; neither refusals nor pings */
  readonly acknowledged: () => number
  fire(dice: Dice, isOver: () => boolean): Promise<void>
  /** Goes on from what was found: a write under way has come through or not. */
  learn(evidence: Evidence): void
}

/** @param channelIds of the project, to be assigned and taken away */
export function createEditor(baseUrl: string, apiKey: string, channelIds: readonly string[]): Editor {
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: CHECKS_OF_A_CLIENT }, (_, check): Known => {
      return { name: `edited-${client + 1}-${check + 1}`, facts: null, underWay: null }
    }),
  )
  const all = clients.flat()
  const deleted = new Set<string>()
  let buriedDeliveries = 0
  let acknowledged = 0

  const bury = ({ id, nOwed }: Facts) => {
    if (id !== null) deleted.add(id)
    buriedDeliveries += nOwed
  }

  const attempt = async (known: Known, edit: Edit) => {
    const { facts: before } = known
    const { after, answer: wanted } = applyEdit(before, edit)
    known.underWay = edit
    const response = await request(baseUrl, apiKey, known.name, before?.id ?? '', edit)
    // A broken connection: the write stays under way until the server runs again.
    if (response === null) return
    const { status, id } = response
    if (status !== wanted) throw new Error(`${edit.kind} of ${known.name} was answered with ${status}, not ${wanted}`)
    known.underWay = null
    known.facts = after && { ...after, id: after.id ?? id }
    if (status < 300 && edit.kind !== 'ping') acknowledged += 1
    if (before !== null && after === null) bury(before)
  }

  const connection = async (checks: readonly Known[], dice: Dice, isOver: () => boolean) => {
    while (!isOver()) {
      const known = dice.one(checks)
      if (known.underWay === null) await attempt(known, throwEdit(dice, known.facts, channelIds))
      await Bun.sleep(dice.upTo(LONGEST_PAUSE_MS))
    }
  }

  return {
    expected: all,
    deleted,
    deliveriesDeleted: () => buriedDeliveries,
    acknowledged: () => acknowledged,
    async fire(dice, isOver) {
      await Promise.all(clients.map((checks) => connection(checks, dice, isOver)))
    },
    learn(evidence) {
      const found = factsFound(evidence)
      for (const known of all) {
        const actual = found.get(known.name)?.[0] ?? null
        if (known.facts !== null && actual === null) bury(known.facts)
        known.facts = actual
        known.underWay = null
      }
    },
  }
}

function throwEdit(dice: Dice, facts: Facts | null, channelIds: readonly string[]): Edit {
  const wish = (): Required<Wish> => ({
    timeout: SHORTEST_TIMEOUT_SECONDS + dice.upTo(TIMEOUTS),
    tags: `t${dice.upTo(TIMEOUTS)} u${dice.upTo(TIMEOUTS)}`,
    desc: `written as ${crypto.randomUUID()}`,
    channels: channelIds.filter(() => dice.upTo(1) === 0).join(','),
  })
  const kind = facts === null ? 'upsert' : dice.one(EDITS)
  switch (kind) {
    case 'upsert':
      return { kind, wish: wish() }
    case 'update': {
      const { timeout, tags, desc, channels } = wish()
      return { kind, wish: dice.one([{ timeout }, { tags, desc }, { channels }, { desc, channels }]) }
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

/** @returns the status of the answer and the id that it names, if any; null when there was no answer */
async function request(baseUrl: string, apiKey: string, name: string, id: string, edit: Edit) {
  const api = `${baseUrl}/api/v3/checks/`
  const headers = { 'X-Api-Key': apiKey }
  const post = (url: string, body: object = {}) =>
    new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const requests = (): Request => {
    switch (edit.kind) {
      case 'upsert':
        return post(api, { name, grace: SHORTEST_TIMEOUT_SECONDS, unique: ['name'], ...edit.wish })
      case 'update':
        return post(`${api}${id}`, edit.wish)
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
