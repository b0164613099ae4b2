/**
 * Checks that API clients change, as a model: what each write makes of a check, and whether what is found is what was
 * acknowledged, or that with the one write more that was under way at the kill.
 */
import type { StoredStatus } from '../../../src/domain/check.ts'
import { isNews } from '../../../src/domain/flip.ts'
import type { Evidence } from './evidence.ts'

/** What a client may set; a member that is left out stays. */
export interface Wish {
  readonly timeout?: number
  readonly tags?: string
  readonly desc?: string
  /** in their order, with commas between */
  readonly channels?: string
}

export type Edit =
  /** creates, or changes the check of that name */
  | { readonly kind: 'upsert'; readonly wish: Required<Wish> }
  | { readonly kind: 'update'; readonly wish: Wish }
  | { readonly kind: 'pause' | 'resume' | 'delete' }
  | { readonly kind: 'ping'; readonly action: 'success' | 'fail' | 'start' }

export interface Facts extends Required<Wish> {
  /** null while it is known only to the server */
  readonly id: string | null
  readonly status: StoredStatus
  readonly nPings: number
  readonly nFlips: number
  /** deliveries owed by its flips so far, whatever has become of them */
  readonly nOwed: number
}

export interface Outcome {
  /** null when there is no such check any more */
  readonly after: Facts | null
  /** the status of the answer */
  readonly answer: number
}

/** @param before null when there is no such check; then only an upsert makes sense */
export function applyEdit(before: Facts | null, edit: Edit): Outcome {
  if (before === null) {
    if (edit.kind !== 'upsert') throw new Error(`nothing is there to ${edit.kind}`)
    const state = { status: 'new', nPings: 0, nFlips: 0, nOwed: 0 } as const
    return { answer: 201, after: { id: null, ...state, ...edit.wish } }
  }
  switch (edit.kind) {
    case 'upsert':
    case 'update':
      return { answer: 200, after: { ...before, ...edit.wish } }
    case 'delete':
      return { answer: 200, after: null }
    case 'pause':
      return { answer: 200, after: flipped(before, 'paused') }
    case 'resume':
      return before.status === 'paused'
        ? { answer: 200, after: flipped(before, 'new') }
        : { answer: 409, after: before }
    case 'ping':
      return { answer: 200, after: pinged({ ...before, nPings: before.nPings + 1 }, edit.action) }
  }
}

function pinged(check: Facts, action: 'success' | 'fail' | 'start'): Facts {
  if (action === 'start') return check.status === 'paused' ? flipped(check, 'new') : check
  return flipped(check, action === 'success' ? 'up' : 'down')
}

function flipped(check: Facts, status: StoredStatus): Facts {
  if (check.status === status) return check
  const owed = isNews({ oldStatus: check.status, newStatus: status }) ? channelsIn(check.channels) : 0
  return { ...check, status, nFlips: check.nFlips + 1, nOwed: check.nOwed + owed }
}

function channelsIn(channels: string): number {
  return channels === '' ? 0 : channels.split(',').length
}

/** What a client knows of the check that it names so. */
export interface Expected {
  readonly name: string
  /** after all acknowledged writes */
  readonly facts: Facts | null
  /** the write that was not answered */
  readonly underWay: Edit | null
}

/** By name, all checks of that name; there should be one at most. */
export function factsFound({ checks, flips, deliveries }: Evidence): ReadonlyMap<string, readonly Facts[]> {
  const flipsOf = Map.groupBy(flips, ({ checkId }) => checkId)
  const owedOf = Map.groupBy(deliveries, ({ checkId }) => checkId)
  const found = Map.groupBy(checks, ({ name }) => name)
  return new Map(
    Array.from(found, ([name, rows]) => [
      name,
      rows.map(({ id, timeoutSeconds, tags, desc, channelIds, status, nPings }) => ({
        ...{ id, timeout: timeoutSeconds, tags, desc, channels: channelIds, status, nPings },
        nFlips: flipsOf.get(id)?.length ?? 0,
        nOwed: owedOf.get(id)?.length ?? 0,
      })),
    ]),
  )
}

/**
 * Every acknowledged write is there, and of those under way all or nothing; what was deleted stays deleted.
 * @param deleted the ids of checks whose deletion was acknowledged
 */
export function wrongEdits(expected: readonly Expected[], deleted: ReadonlySet<string>, evidence: Evidence): string[] {
  const found = factsFound(evidence)
  const names = new Set(expected.map(({ name }) => name))
  return [
    ...expected.flatMap(({ name, facts, underWay }) => {
      const [actual = null, ...others] = found.get(name) ?? []
      if (others.length > 0) return [`there are ${others.length + 1} checks named ${name}`]
      const possible = underWay === null ? [facts] : [facts, applyEdit(facts, underWay).after]
      if (possible.some((one) => agree(one, actual))) return []
      return [
        `${name} is ${JSON.stringify(actual)}, and should be ${possible.map((one) => JSON.stringify(one)).join(' or ')}`,
      ]
    }),
    ...[...found.keys()].filter((name) => !names.has(name)).map((name) => `nobody made the check ${name}`),
    ...evidence.checks.filter(({ id }) => deleted.has(id)).map(({ name }) => `${name} was deleted and is back`),
  ]
}

function agree(one: Facts | null, actual: Facts | null): boolean {
  if (one === null || actual === null) return one === actual
  const { id, ...facts } = one
  return Bun.deepEquals({ ...facts, id: id ?? actual.id }, actual)
}
