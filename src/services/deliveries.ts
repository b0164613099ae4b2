/** Lists deliveries and retries failed ones; `courier/courier.ts` sends them. */
import { type Actor, requireRight } from '../domain/actor.ts'
import type { Delivery, DeliveryEntry, DeliveryState } from '../domain/alert/delivery.ts'
import type { Flip } from '../domain/check/flip.ts'
import { Refusal } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import type { Deps } from './deps.ts'

/** Newest first. @param state null for all */
export function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  state: DeliveryState | null,
  limit: number,
): Promise<DeliveryEntry[]> {
  return store.listDeliveries(project.id, state, limit)
}

const FLIPS_AT_ONCE = 50

/** The alerts of some flips, whatever became of them: in the order of `flips`, and of the channels of each. */
export async function whoWasTold(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  flips: readonly Pick<Flip, 'checkId' | 'n'>[],
): Promise<DeliveryEntry[]> {
  const entries: DeliveryEntry[] = []
  for (let from = 0; from < flips.length; from += FLIPS_AT_ONCE) {
    entries.push(...(await store.listDeliveriesOfFlips(project.id, flips.slice(from, from + FLIPS_AT_ONCE))))
  }
  return entries
}

export interface FoundDelivery {
  readonly delivery: Delivery
  readonly project: Project
}

/**
 * A delivery of any project, so only for the operator.
 * @param idOrStart the id, or at least four of its first characters that no other delivery has
 * @throws Refusal `delivery-not-found` or `delivery-ambiguous`
 */
export async function getDelivery({ store }: Pick<Deps, 'store'>, idOrStart: string): Promise<FoundDelivery> {
  const found = /^[0-9a-f-]{4,36}$/.test(idOrStart) ? await store.findDeliveries(idOrStart, 2) : []
  const [delivery, other] = found
  const owner = delivery && (await store.findCheck(delivery.checkId))
  const project = owner && (await store.findProject(owner.check.projectId))
  if (!project) throw new Refusal('delivery-not-found', `there is no delivery "${idOrStart}"`, { name: idOrStart })
  if (other) {
    throw new Refusal('delivery-ambiguous', `several deliveries begin with "${idOrStart}"`, { name: idOrStart })
  }
  return { delivery, project }
}

/**
 * Makes a failed delivery pending again, due at once. When the alert is older than a day, this attempt is the last.
 * @throws Refusal `delivery-not-failed`, or `delivery-superseded` while a later alert is pending
 */
export async function retryDelivery(
  { store, now, onOwed }: Pick<Deps, 'store' | 'now' | 'onOwed'>,
  actor: Actor,
  { delivery, project }: FoundDelivery,
): Promise<void> {
  requireRight(actor, 'write', { projectId: project.id })
  const { id: name, state } = delivery
  if (state !== 'failed') {
    const words = state === 'pending' ? 'is pending already' : 'was sent'
    throw new Refusal('delivery-not-failed', `delivery ${name} ${words}`, { name, project: project.name, state })
  }
  if (!(await store.retryDelivery(name, now()))) {
    const why = 'a later alert of the same check to the same channel is pending'
    throw new Refusal('delivery-superseded', `delivery ${name} cannot be retried now: ${why}`, {
      name,
      project: project.name,
    })
  }
  onOwed()
}
