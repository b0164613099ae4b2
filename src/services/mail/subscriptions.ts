/** Lists and changes a project's reports and reminders. Each email channel has one subscription. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { Refusal } from '../../domain/errors.ts'
import { type MailChannel, type MailPeriods, withPeriods } from '../../domain/mail/mail-channel.ts'
import { type MailingEntry, mailChannelOf, wantedMailings } from '../../domain/mail/mailing.ts'
import type { ChannelChange } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

export interface MailSubscription {
  readonly channel: Channel
  readonly mail: MailChannel
  /** null if no report is planned */
  readonly report: MailingEntry | null
  readonly reminder: MailingEntry | null
}

/** Lists subscriptions in order of creation. Omits channels whose settings are not valid for an email channel. */
export async function listSubscriptions(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
): Promise<readonly MailSubscription[]> {
  const channels = await store.channels.list(project.id)
  const mails = channels.flatMap((channel) => {
    const mail = mailChannelOf(channel)
    return mail === null ? [] : [{ channel, mail }]
  })
  if (mails.length === 0) return []
  const entries = await store.mailings.list(project.id)
  return mails.map(({ channel, mail }) => subscriptionOf(channel, mail, entries))
}

/** @param entries entries for any number of channels, including this one */
export function subscriptionOf(
  channel: Channel,
  mail: MailChannel,
  entries: readonly MailingEntry[],
): MailSubscription {
  const entryOf = (kind: MailingEntry['kind']) =>
    entries.find((entry) => entry.kind === kind && entry.channel.id === channel.id) ?? null
  return { channel, mail, report: entryOf('report'), reminder: entryOf('reminder') }
}

/** @throws Refusal `channel-not-found` */
export async function getSubscription(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  channelId: string,
): Promise<MailSubscription> {
  const found = (await listSubscriptions(deps, actor)).find(({ channel }) => channel.id === channelId)
  if (found) return found
  throw noSuchChannel(actor, channelId)
}

export type EditDeps = Pick<Deps, 'store' | 'now' | 'random'>

/**
 * Changes only the channel's report and reminder periods. A disabled channel stays disabled.
 * @throws Refusal `channel-not-found` if the project has no such email channel
 */
export async function setPeriods(deps: EditDeps, actor: Actor, channelId: string, periods: MailPeriods): Promise<void> {
  requireRight(actor, 'write')
  const change = (channel: Channel): ChannelChange => {
    const before = mailChannelOf(channel)
    if (channel.projectId !== actor.project.id || before === null) throw noSuchChannel(actor, channelId)
    const changed = {
      ...(periods.report === before.report ? {} : { report: periods.report }),
      ...(periods.reminder === before.reminder ? {} : { reminder: periods.reminder }),
    }
    const after = { ...channel, settings: withPeriods(channel.settings, changed) }
    const mailings = wantedMailings(before, mailChannelOf(after), deps.now(), deps.random.fraction())
    return { channel: after, mailings }
  }
  const changed = await deps.store.by(authorOf(deps, actor.by)).channels.change(channelId, change)
  if (changed === null) throw noSuchChannel(actor, channelId)
}

function noSuchChannel({ project }: Actor, channelId: string): Refusal {
  const message = `project "${project.name}" has no such email integration`
  return new Refusal('channel-not-found', message, { name: channelId, project: project.name })
}

/** Returns true if a channel gets reports or reminders. */
export function isWanted({ report, reminder }: MailPeriods): boolean {
  return report !== null || reminder !== null
}
