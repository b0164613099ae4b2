/**
 * Lists and changes the reports and reminders that are sent to a person's own address, in all projects that the person is allowed to see.
 */
import { exactEmail } from '../../domain/account/account.ts'
import { may, type Person, type PersonActor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { MailChannel, MailPeriods } from '../../domain/mail/mail-channel.ts'
import { mailChannelOf } from '../../domain/mail/mailing.ts'
import type { MailTargetMark } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { listPersonActors } from '../projects/members.ts'
import { type EditDeps, isWanted, type MailSubscription, setPeriods, subscriptionOf } from './subscriptions.ts'

export interface OwnSubscription extends MailSubscription {
  readonly actor: PersonActor
}

export interface OwnSubscriptions {
  /** subscriptions, starting at the requested index and sorted by when their projects were created; at most {@link OWN_AT_ONCE} */
  readonly shown: readonly OwnSubscription[]
  readonly total: number
  /** true if at least one subscription is active and the person is allowed to end it */
  readonly canEnd: boolean
}

/** Maximum number of subscriptions on one page. */
export const OWN_AT_ONCE = 50

type ReadDeps = Pick<Deps, 'store' | 'eventLoop'>

/** @param from number of subscriptions to skip */
export async function listOwnSubscriptions(deps: ReadDeps, person: Person, from: number): Promise<OwnSubscriptions> {
  const own = await findOwn(deps, person)
  const wanted = own.slice(from, from + OWN_AT_ONCE)
  const ids = wanted.map(({ channelId }) => channelId)
  const [channels, entries] = await Promise.all([deps.store.channels.findMany(ids), deps.store.mailings.listOf(ids)])
  const shown = wanted.flatMap(({ actor }, index): OwnSubscription[] => {
    const channel = channels[index] ?? null
    const mail = channel && mailChannelOf(channel)
    return channel && mail ? [{ actor, ...subscriptionOf(channel, mail, entries) }] : []
  })
  return { shown, total: own.length, canEnd: own.some(isEndable) }
}

/** @throws Refusal `not-found` if there is no such channel that sends to the person's own address */
export async function setOwnPeriods(
  deps: EditDeps,
  person: Person,
  channelId: string,
  periods: MailPeriods,
): Promise<void> {
  const [channel, actors] = await Promise.all([deps.store.channels.find(channelId), listPersonActors(deps, person)])
  const mail = channel && mailChannelOf(channel)
  const actor = actors.find(({ project }) => project.id === channel?.projectId)
  if (!actor || !mail || exactEmail(mail.address) !== person.email) {
    throw new Refusal('not-found', 'no such integration sends to your address')
  }
  await setPeriods(deps, actor, channelId, periods)
}

/**
 * Ends all reports and reminders to the person's own address, as far as the person's role permits.
 * @returns the number of changed channels
 */
export async function endOwnMailings(deps: EditDeps & ReadDeps, person: Person): Promise<number> {
  const wanted = (await findOwn(deps, person)).filter(isEndable)
  for (const { actor, channelId } of wanted) await setPeriods(deps, actor, channelId, { report: null, reminder: null })
  return wanted.length
}

interface Own {
  readonly actor: PersonActor
  readonly channelId: string
  readonly mail: MailChannel
}

function isEndable({ actor, mail }: Own): boolean {
  return may(actor, 'write') && isWanted(mail)
}

/**
 * Returns the channels, sorted by when their projects were created. The channels of all projects are read in a single pass that yields to
 * the event loop.
 */
async function findOwn({ store, eventLoop }: ReadDeps, person: Person): Promise<readonly Own[]> {
  const actors = await listPersonActors({ store }, person)
  const byProject = new Map<string, Own[]>(actors.map(({ project }) => [project.id, []]))
  const actorOf = new Map(actors.map((actor) => [actor.project.id, actor]))
  const read = async (after: MailTargetMark | null) => {
    const { items, next } = await store.channels.listMailTargets(person.accountId, person.isAdministrator, after)
    for (const { id, projectId, settings } of items) {
      const mail = mailChannelOf({ kind: 'email', settings })
      const actor = actorOf.get(projectId)
      if (!actor || !mail || exactEmail(mail.address) !== person.email) continue
      byProject.get(projectId)?.push({ actor, channelId: id, mail })
    }
    return next
  }
  let after: MailTargetMark | null = null
  do after = await eventLoop.step(() => read(after))
  while (after !== null)
  return [...byProject.values()].flat()
}
