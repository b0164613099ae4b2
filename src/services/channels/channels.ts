/** Creates, edits and lists channels. `channel-test.ts` tests channels. */

import { type Actor, requireRight } from '../../domain/actor.ts'
import { type Channel, UNSUBSCRIBED } from '../../domain/channel/channel.ts'
import type { QuietHours } from '../../domain/channel/quiet-hours.ts'
import { Refusal } from '../../domain/errors.ts'
import { mailChannelOf, wantedMailings } from '../../domain/mail/mailing.ts'
import type { Project } from '../../domain/project.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { suggest } from '../../lib/text/suggest.ts'
import type { ChannelChange } from '../../store/store.ts'
import { switchedOff, switchedOffWords } from '../../transports/operator.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { CHANNEL_KINDS, isChannelKind } from './channel-kinds.ts'
import { accepted, type ComposeDeps, refuseMistakes } from './channel-validity.ts'
import { askToConfirm, countConfirmation } from './confirmation.ts'

export interface ChannelRequest {
  readonly kind: string
  readonly name: string
  readonly settings: unknown
  /** null or omitted if the channel has no quiet hours */
  readonly quietHours?: QuietHours | null
}

export function listChannels({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<Channel[]> {
  return store.channels.list(project.id)
}

/** Dependencies for storing a channel and sending its confirmation email. */
type StoreDeps = ComposeDeps & Pick<Deps, 'store' | 'carriers' | 'confirmAddresses' | 'mailboxLimits'>

/**
 * Creates a channel. If the server requires it, the owner of an email address gets an email asking for confirmation. If the confirmation
 * email cannot be sent, the reason is stored as the channel's last error.
 * @throws Refusal if the kind is unknown or switched off; if the name or the settings are invalid, in which case it lists all problems;
 * `over-limit` after too many confirmation emails
 */
export async function createChannel(
  deps: StoreDeps,
  actor: Actor,
  { kind, name, settings, quietHours = null }: ChannelRequest,
): Promise<Channel> {
  requireRight(actor, 'write')
  const { project } = actor
  const { store, now, random } = deps
  if (!isChannelKind(kind)) throw new Refusal('unknown-choice', `unknown kind "${kind}"`, { choices: CHANNEL_KINDS })
  const off = switchedOff(kind, deps.operator)
  if (off !== null) throw new Refusal('channel-kind-off', switchedOffWords(kind), { kind, setting: `${off}=True` })
  const draft = await accepted(deps, project, {
    id: random.uuid(),
    projectId: project.id,
    name,
    kind,
    settings,
    createdAt: now(),
    disabledReason: null,
    lastError: null,
    host: '',
    awaitsConfirmation: false,
    quietHours,
  })
  refuseMistakes(deps, draft)
  const mail = mailChannelOf(draft)
  const channel = { ...draft, awaitsConfirmation: mail !== null && deps.confirmAddresses }
  if (channel.awaitsConfirmation) countConfirmation(deps, actor, channel)
  await store
    .by(authorOf(deps, actor.by))
    .channels.create(channel, wantedMailings(null, mail, now(), random.fraction()))
  return channel.awaitsConfirmation ? withRequest(deps, project, channel) : channel
}

/**
 * Changes a channel's name, settings or quiet hours. Re-enables a disabled channel, unless its receiver has unsubscribed and the address
 * stays the same. A new email address has to be confirmed, as in {@link createChannel}.
 * @throws Refusal in the same cases as {@link createChannel}, in which case nothing is changed
 */
export async function editChannel(
  deps: StoreDeps,
  actor: Actor,
  channel: Channel,
  change: Partial<Pick<Channel, 'name' | 'settings' | 'quietHours'>>,
): Promise<Channel> {
  requireRight(actor, 'write', channel)
  const { project } = actor
  const draft = await accepted(deps, project, { ...channel, ...change })
  if ('settings' in change) refuseMistakes(deps, draft)
  if (deps.confirmAddresses && hasOtherAddress(channel, draft)) countConfirmation(deps, actor, draft)
  const edited = await deps.store.by(authorOf(deps, actor.by)).channels.change(channel.id, (stored) => {
    return edit(deps, stored, { ...stored, ...change, host: 'settings' in change ? draft.host : stored.host })
  })
  if (!edited)
    throw new Refusal('channel-not-found', 'the channel no longer exists', {
      name: channel.id,
      project: project.name,
    })
  const isAsked = edited.awaitsConfirmation && hasOtherAddress(channel, edited)
  return isAsked ? withRequest(deps, project, edited) : edited
}

function hasOtherAddress(before: Channel, after: Channel): boolean {
  const address = mailChannelOf(after)?.address
  return address !== undefined && address !== mailChannelOf(before)?.address
}

/** Returns the edited channel and its mailings. */
function edit({ now, random, confirmAddresses }: StoreDeps, before: Channel, after: Channel): ChannelChange {
  const isOtherAddress = hasOtherAddress(before, after)
  const isEnded = before.disabledReason === UNSUBSCRIBED && !isOtherAddress
  return {
    channel: {
      ...after,
      disabledReason: isEnded ? UNSUBSCRIBED : null,
      lastError: null,
      awaitsConfirmation: confirmAddresses && (isOtherAddress || before.awaitsConfirmation),
    },
    mailings: wantedMailings(mailChannelOf(before), mailChannelOf(after), now(), random.fraction()),
  }
}

/**
 * Sends the confirmation email.
 * @returns the channel; its last error is set if sending failed
 */
async function withRequest(deps: StoreDeps, project: Project, channel: Channel): Promise<Channel> {
  const lastError = await askToConfirm(deps, project, channel)
  if (lastError === null) return channel
  await deps.store.channels.change(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  return { ...channel, lastError }
}

/** @throws Refusal `not-found` if the project has no such channel */
export async function getChannelById({ store }: Pick<Deps, 'store'>, { project }: Actor, id: string): Promise<Channel> {
  const channel = isUuid(id) ? await store.channels.find(id) : null
  if (channel?.projectId === project.id) return channel
  throw new Refusal('not-found', 'not found')
}

/** @throws Refusal `channel-not-found`; `channel-ambiguous` if the project has several channels with that name */
export async function getChannel(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  idOrName: string,
): Promise<Channel> {
  const channels = await store.channels.list(project.id)
  const [match, ...others] = channels.filter(({ id, name }) => id === idOrName || (name !== '' && name === idOrName))
  if (match && others.length === 0) return match
  if (!match) {
    const message = `project "${project.name}" has no channel "${idOrName}"`
    const names = channels.map(({ name }) => name)
    const meant = suggest(idOrName, names) ?? undefined
    throw new Refusal('channel-not-found', message, { name: idOrName, project: project.name, meant })
  }
  const message = `project "${project.name}" has several channels "${idOrName}"`
  const problems = [match, ...others].map(({ id, kind }) => `${id}  ${kind}`)
  throw new Refusal('channel-ambiguous', message, { name: idOrName, problems })
}
