/**
 * A model of the checks that API clients change: the effect of each write, and whether the file holds the acknowledged
 * state, or that state plus the write that the kill interrupted.
 */
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import type { Snapshot } from './snapshot.ts'

/** Fields that a client sets; missing ones don't change. */
export interface CheckFields {
  readonly timeout?: number
  readonly tags?: string
  readonly desc?: string
  /** sorted ids, separated by commas */
  readonly channels?: string
}

export type Edit =
  /** creates, or changes the check of that name */
  | { readonly kind: 'upsert'; readonly fields: Required<CheckFields> }
  | { readonly kind: 'update'; readonly fields: CheckFields }
  | { readonly kind: 'pause' | 'resume' | 'delete' }
  | { readonly kind: 'ping'; readonly action: 'success' | 'fail' | 'start' }

export interface CheckState extends Required<CheckFields> {
  /** null while it is known only to the server */
  readonly id: string | null
  readonly status: StoredStatus
  readonly nPings: number
  readonly nEvents: number
  /** deliveries of its flips so far, in any state */
  readonly nDeliveries: number
}

interface Outcome {
  /** null when the check is deleted */
  readonly after: CheckState | null
  /** the status of the answer */
  readonly answer: number
}

/** @param before null when there is no such check; then only an upsert is allowed */
export function applyEdit(before: CheckState | null, edit: Edit): Outcome {
  if (before === null) {
    if (edit.kind !== 'upsert') throw new Error(`there is no check to ${edit.kind}`)
    const state = { status: 'new', nPings: 0, nEvents: 0, nDeliveries: 0 } as const
    return { answer: 201, after: { id: null, ...state, ...edit.fields } }
  }
  switch (edit.kind) {
    case 'upsert':
    case 'update':
      return { answer: 200, after: { ...before, ...edit.fields } }
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

function pinged(check: CheckState, action: 'success' | 'fail' | 'start'): CheckState {
  if (action === 'start') return check.status === 'paused' ? flipped(check, 'new') : check
  return flipped(check, action === 'success' ? 'up' : 'down')
}

function flipped(check: CheckState, status: StoredStatus): CheckState {
  if (check.status === status) return check
  const deliveries = sendsAlerts({ oldStatus: check.status, newStatus: status }) ? channelsIn(check.channels) : 0
  return { ...check, status, nEvents: check.nEvents + 1, nDeliveries: check.nDeliveries + deliveries }
}

function channelsIn(channels: string): number {
  return channels === '' ? 0 : channels.split(',').length
}

/** A client's knowledge of its check. */
export interface Expected {
  readonly name: string
  /** state after all acknowledged writes */
  readonly state: CheckState | null
  /** the write that was interrupted */
  readonly interrupted: Edit | null
}

/** Returns the checks by name; each name should have one at most. */
export function statesFound({ checks, flips, deliveries }: Snapshot): ReadonlyMap<string, readonly CheckState[]> {
  const flipsOf = Map.groupBy(flips, ({ checkId }) => checkId)
  const deliveriesOf = Map.groupBy(deliveries, ({ checkId }) => checkId)
  const found = Map.groupBy(checks, ({ name }) => name)
  return new Map(
    Array.from(found, ([name, rows]) => [
      name,
      rows.map(({ id, timeoutSeconds, tags, desc, channelIds, status, nPings }) => ({
        ...{ id, timeout: timeoutSeconds, tags, desc, channels: channelIds, status, nPings },
        nEvents: flipsOf.get(id)?.length ?? 0,
        nDeliveries: deliveriesOf.get(id)?.length ?? 0,
      })),
    ]),
  )
}

/**
 * Lists violations of this promise: every acknowledged write is stored, an interrupted one entirely or not at all, and deleted checks stay
 * deleted.
 * @param deleted ids of checks whose deletion was acknowledged
 */
export function wrongEdits(expected: readonly Expected[], deleted: ReadonlySet<string>, snapshot: Snapshot): string[] {
  const found = statesFound(snapshot)
  const names = new Set(expected.map(({ name }) => name))
  return [
    ...expected.flatMap(({ name, state, interrupted }) => {
      const [actual = null, ...others] = found.get(name) ?? []
      if (others.length > 0) return [`there are ${others.length + 1} checks named ${name}`]
      const possible = interrupted === null ? [state] : [state, applyEdit(state, interrupted).after]
      if (possible.some((one) => agree(one, actual))) return []
      return [
        `${name} is ${JSON.stringify(actual)}, and should be ${possible.map((one) => JSON.stringify(one)).join(' or ')}`,
      ]
    }),
    ...[...found.keys()].filter((name) => !names.has(name)).map((name) => `no client created the check ${name}`),
    ...snapshot.checks.filter(({ id }) => deleted.has(id)).map(({ name }) => `${name} was deleted but still exists`),
  ]
}

function agree(one: CheckState | null, actual: CheckState | null): boolean {
  if (one === null || actual === null) return one === actual
  const { id, ...state } = one
  return Bun.deepEquals({ ...state, id: id ?? actual.id }, actual)
}
