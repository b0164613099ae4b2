/** Lists and changes deliveries. `courier/courier.ts` sends them. */

import { type Actor, may, operatorIn, requireRight } from '../../domain/actor.ts'
import type { Attempt } from '../../domain/alert/attempt.ts'
import type {
  Delivery,
  DeliveryAction,
  DeliveryEntry,
  DeliveryKey,
  DeliveryState,
} from '../../domain/alert/delivery.ts'
import { answerForReader, errorForReader } from '../../domain/alert/reader-words.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Project } from '../../domain/project.ts'
import { lateSentence } from '../../domain/sentence/late-ping.ts'
import type { Sentence } from '../../domain/words/sentence-parts.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { NamedFlip } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

/** Lists deliveries, newest first. @param state null for all states */
export function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  state: DeliveryState | null,
  limit: number,
): Promise<DeliveryEntry[]> {
  return store.deliveries.list(project.id, state, limit)
}

const FLIPS_AT_ONCE = 50

/**
 * Returns the deliveries for the flips, in any state. They are in the order of `flips`, and for each flip in the order of its
 * channels. Receivers' answers are omitted for read-only members.
 */
export async function whoWasTold(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  flips: readonly NamedFlip[],
): Promise<DeliveryEntry[]> {
  const { project } = actor
  const entries: DeliveryEntry[] = []
  for (const some of inBatches(flips, FLIPS_AT_ONCE)) {
    entries.push(...(await store.deliveries.listOfFlips(project.id, some)))
  }
  return may(actor, 'write') ? entries : entries.map(forReader)
}

export interface FoundDelivery {
  readonly delivery: Delivery
  readonly project: Project
}

/** A delivery with its check's public id. */
type LookedUpDelivery = FoundDelivery & Pick<DeliveryKey, 'checkPublicId'>

/**
 * Returns a delivery from any project. Only the operator may call this function.
 * @param idOrStart the id, or at least its first four characters, if no other delivery begins with them
 * @throws Refusal `delivery-not-found` or `delivery-ambiguous`
 */
export async function getDelivery({ store }: Pick<Deps, 'store'>, idOrStart: string): Promise<LookedUpDelivery> {
  const found = /^[0-9a-f-]{4,36}$/.test(idOrStart) ? await store.deliveries.find(idOrStart, 2) : []
  const [delivery, other] = found
  const owner = delivery && (await store.checks.find(delivery.checkId))
  const project = owner && (await store.projects.find(owner.check.projectId))
  if (!project) throw new Refusal('delivery-not-found', `there is no delivery "${idOrStart}"`, { name: idOrStart })
  if (other) {
    throw new Refusal('delivery-ambiguous', `several deliveries begin with "${idOrStart}"`, { name: idOrStart })
  }
  return { delivery, project, checkPublicId: owner.check.publicId }
}

type Changes = Pick<Deps, 'store' | 'now' | 'random' | 'onDeliveriesCreated'>

/**
 * @returns false if the delivery was not changed, either because it is in another state, or because an attempt may be in progress whose
 * result must be recorded
 */
export async function changeDelivery(
  deps: Changes,
  actor: Actor,
  { delivery, project }: FoundDelivery,
  action: DeliveryAction,
): Promise<boolean> {
  requireRight(actor, 'write', { projectId: project.id })
  const isChanged = await deps.store.by(authorOf(deps, actor.by)).deliveries.change(delivery.id, action)
  // The alert that was waiting for the cancelled delivery is now due.
  if (isChanged) deps.onDeliveriesCreated()
  return isChanged
}

/**
 * Retries a failed delivery. If the alert is older than a day, there is only one more attempt.
 * @throws Refusal `delivery-not-failed`, or `delivery-superseded` while a later alert is pending
 */
export async function retryFailed(deps: Changes, actor: Actor, found: FoundDelivery): Promise<void> {
  if (await changeDelivery(deps, actor, found, 'retry')) return
  const { id: name, state } = found.delivery
  const project = found.project.name
  if (state === 'failed') {
    const why = 'a later alert of the same check to the same channel is pending'
    throw new Refusal('delivery-superseded', `delivery ${name} cannot be retried now: ${why}`, { name, project })
  }
  const words = state === 'pending' ? 'is pending already' : 'was sent'
  throw new Refusal('delivery-not-failed', `delivery ${name} ${words}`, { name, project, state })
}

/** Number of deliveries to change per step. All deliveries in a step belong to the same channel. */
const HURRIED_AT_ONCE = 100
/** Maximum number of deliveries that one call changes. */
const HURRIED_AT_MOST = 2_000

/** Makes up to 2,000 of the project's waiting deliveries due now. @returns the number of changed deliveries */
export async function sendAllNow(deps: Changes & Pick<Deps, 'eventLoop'>, actor: Actor): Promise<number> {
  requireRight(actor, 'write')
  const { store, eventLoop, now, onDeliveriesCreated } = deps
  let sent = 0
  for (const { id: channelId } of await store.channels.list(actor.project.id)) {
    if (sent === HURRIED_AT_MOST) break
    const ids = await store.deliveries.listWaiting(channelId, now(), HURRIED_AT_ONCE)
    for (const id of ids.slice(0, HURRIED_AT_MOST - sent)) {
      const writes = store.by(authorOf(deps, actor.by))
      if (await eventLoop.step(() => writes.deliveries.change(id, 'send-now'))) sent += 1
    }
  }
  if (sent > 0) onDeliveriesCreated()
  return sent
}

/** A delivery with its details. */
export interface OpenedDelivery {
  readonly entry: DeliveryEntry
  /** newest first */
  readonly attempts: readonly Attempt[]
  /** number of pending deliveries that are waiting for this one */
  readonly behind: number
  /** true if this delivery failed and a later alert of the check was delivered; a retry would then send an outdated status */
  readonly isOutdated: boolean
  /** a sentence about the ping that caused the flip, if the ping arrived late; otherwise empty */
  readonly late: Sentence
}

/** Returns a delivery with its details. Receivers' answers are omitted for read-only members. @throws Refusal `not-found` */
export async function openDelivery(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  key: DeliveryKey,
): Promise<OpenedDelivery> {
  const { project } = actor
  const entry = await store.deliveries.findOf(project.id, key)
  if (!entry) throw new Refusal('not-found', 'not found')
  const { delivery } = entry
  const [attempts, behind, isOutdated, late] = await Promise.all([
    store.deliveries.listAttempts(delivery.id),
    delivery.state === 'pending' ? store.deliveries.countBehind(delivery) : 0,
    delivery.state === 'failed' && store.deliveries.hasLaterSent(delivery),
    readLate(store, delivery),
  ])
  return may(actor, 'write')
    ? { entry, attempts, behind, isOutdated, late }
    : { entry: forReader(entry), attempts: attempts.map(attemptForReader), behind, isOutdated, late }
}

/** Number of newest log entries to search for the ping. For older alerts, the triggering ping is no longer relevant. */
const ENTRIES_SEARCHED = 200

async function readLate(store: Deps['store'], { checkId, eventN }: Delivery): Promise<Sentence> {
  const { items } = await store.flips.list(checkId, {}, null)
  const index = items.findIndex(({ n }) => n === eventN)
  const flip = items[index]
  if (flip === undefined || flip.reason === 'timeout') return []
  const pings = await store.pings.list(checkId, ENTRIES_SEARCHED)
  const ping = pings.find(({ receivedAt }) => receivedAt.equals(flip.createdAt)) ?? null
  return lateSentence(flip, ping, items[index + 1] ?? null)
}

/** Returns a delivery from any project, with its details. {@link getDelivery} finds the delivery. */
export async function openAnyDelivery(deps: Pick<Deps, 'store'>, idOrStart: string): Promise<OpenedDelivery> {
  const { delivery, project, checkPublicId } = await getDelivery(deps, idOrStart)
  return openDelivery(deps, operatorIn(project), { ...delivery, checkPublicId })
}

export function forReader(entry: DeliveryEntry): DeliveryEntry {
  return { ...entry, error: entry.error && errorForReader(entry.error) }
}

function attemptForReader(attempt: Attempt): Attempt {
  const { error, answer } = attempt
  return { ...attempt, error: error && errorForReader(error), answer: answer && answerForReader(answer) }
}
