/** Channels: stored with settings that their transport accepts, and listed. */
import { CHANNEL_KINDS, CHANNEL_NAME_LIMIT, type Channel, groupMembers, isChannelKind } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import { mailChannelOf, wantedMailings } from '../domain/mailing.ts'
import type { Project } from '../domain/project.ts'
import { codePoints, firstProblem, type Problem } from '../domain/schema.ts'
import { MissingSetting, type Transport } from '../transports/transport.ts'
import { testAlert } from './alert.ts'
import { askToConfirm, UNCONFIRMED } from './confirmation.ts'
import type { Deps } from './deps.ts'
import { sendAlert } from './notifications.ts'

/** What composing a message takes. */
type Composes = Pick<Deps, 'now' | 'random' | 'transports' | 'site' | 'operator'>

export interface ChannelRequest {
  readonly kind: string
  readonly name: string
  readonly settings: unknown
}

export function listChannels({ store }: Pick<Deps, 'store'>, project: Project): Promise<Channel[]> {
  return store.listChannels(project.id)
}

/** For a person at a terminal; most violations are words already. */
function inWords({ violation }: Problem): string {
  if (violation === 'mismatch' || violation === 'bad format') return 'not of the right form'
  return violation === 'unexpected' ? 'none of the possible values' : violation
}

/** What storing a channel takes, with the mail that may have to be sent first. */
type Stores = Composes & Pick<Deps, 'store' | 'carriers' | 'confirmAddresses'>

/**
 * The owner of a mail address is asked first where that is needed; a mail that could not be sent is the channel's error.
 * @throws UserError when the kind is unknown, the name too long, or the transport cannot work with the settings
 */
export async function createChannel(
  deps: Stores,
  project: Project,
  { kind, name, settings }: ChannelRequest,
): Promise<Channel> {
  const { store, now, random } = deps
  if (!isChannelKind(kind)) throw new UserError(`unknown kind "${kind}"`, `use one of: ${CHANNEL_KINDS.join(', ')}`)
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
  })
  const mail = mailChannelOf(draft)
  const channel = { ...draft, awaitsConfirmation: mail !== null && deps.confirmAddresses }
  await store.createChannel(channel, wantedMailings(null, mail, now(), random.fraction()))
  return channel.awaitsConfirmation ? withRequest(deps, project, channel) : channel
}

/**
 * Changes the name, the settings, or both; a channel that was disabled is used again. The owner of another mail address
 * is asked as in {@link createChannel}.
 * @throws UserError as {@link createChannel} does; nothing is changed then
 */
export async function editChannel(
  deps: Stores,
  project: Project,
  channel: Channel,
  change: Partial<Pick<Channel, 'name' | 'settings'>>,
): Promise<Channel> {
  const { store, now, random, confirmAddresses } = deps
  const draft = await accepted(deps, project, { ...channel, ...change, disabledReason: null, lastError: null })
  const [before, after] = [mailChannelOf(channel), mailChannelOf(draft)]
  const isOtherAddress = after !== null && after.address !== before?.address
  const edited = { ...draft, awaitsConfirmation: confirmAddresses && (isOtherAddress || channel.awaitsConfirmation) }
  await store.updateChannel(edited, wantedMailings(before, after, now(), random.fraction()))
  return edited.awaitsConfirmation && isOtherAddress ? withRequest(deps, project, edited) : edited
}

/** The channel after its address was asked for agreement. */
async function withRequest(deps: Stores, project: Project, channel: Channel): Promise<Channel> {
  const lastError = await askToConfirm(deps, project, channel)
  if (lastError !== null) await deps.store.recordTest(channel.id, lastError)
  return { ...channel, lastError }
}

/** With its assignments and what is owed to it. */
export async function deleteChannel({ store }: Pick<Deps, 'store'>, channel: Channel): Promise<void> {
  await store.deleteChannel(channel.id)
}

/** The channel with all that follows from its settings. @throws UserError when it could not be used */
async function accepted(deps: Composes & Pick<Deps, 'store'>, project: Project, channel: Channel): Promise<Channel> {
  const { kind, name, settings } = channel
  if (codePoints(name) > CHANNEL_NAME_LIMIT) {
    throw new UserError(`the name is too long`, `use at most ${CHANNEL_NAME_LIMIT} characters`)
  }
  const transport = deps.transports.get(kind)
  const problem = transport ? firstProblem(transport.settings, settings) : null
  if (problem) {
    throw new UserError(
      `the settings of the ${kind} channel are not right: ${problem.path.slice(1) || 'the value'} is ${inWords(problem)}`,
      `see docs/channels.md for the fields of each kind`,
    )
  }
  if (kind === 'group') await requireMembers(deps, project, channel)
  const host = transport ? hostOf(tryOut(deps, transport, project, channel)) : null
  return { ...channel, host: host ?? kind }
}

/** Of a request only: all mails share one server, and commands this machine. */
function hostOf(message: unknown): string | null {
  return message instanceof Request ? new URL(message.url).host : null
}

async function requireMembers({ store }: Pick<Deps, 'store'>, project: Project, group: Channel): Promise<void> {
  const channels = await store.listChannels(project.id)
  const isMember = (id: string) => channels.some((channel) => channel.id === id && channel.kind !== 'group')
  const members = groupMembers(group)
  const stranger = members.find((id) => !isMember(id))
  if (members.length > 0 && stranger === undefined) return
  const what = stranger === undefined ? 'a group needs members' : `"${stranger}" is no channel that can be in a group`
  throw new UserError(what, 'give a JSON string of channel UUIDs between commas, see `overdue channel list`')
}

/**
 * A URL or a header that no request can have would otherwise show when the first alert is lost. What the operator has not
 * set yet is no fault of the channel's.
 * @returns a message of the channel's; null when nothing can be or is to be sent
 * @throws UserError for settings that give no valid message
 */
function tryOut(deps: Composes, transport: Transport, project: Project, channel: Channel): unknown {
  let message: unknown = null
  for (const status of ['up', 'down'] as const) {
    const alert = testAlert(deps, project, channel.id, status)
    if (!transport.wants(channel.settings, alert.flip)) continue
    try {
      message = transport.render(alert, channel.settings)
    } catch (error) {
      if (error instanceof MissingSetting) continue
      const reason = error instanceof Error ? error.message : String(error)
      throw new UserError(`these settings give no valid message when a check goes ${status}: ${reason}`)
    }
  }
  return message
}

/** What keeps a stored channel from being sent to on this server; null when nothing does. */
export function findObstacle(deps: Composes, project: Project, channel: Channel): string | null {
  if (channel.kind === 'group') return null
  const transport = deps.transports.get(channel.kind)
  if (!transport) return 'this version cannot send to it'
  if (channel.awaitsConfirmation) return channel.lastError ?? UNCONFIRMED
  try {
    for (const status of ['down', 'up'] as const) {
      const alert = testAlert(deps, project, channel.id, status)
      if (transport.wants(channel.settings, alert.flip)) transport.render(alert, channel.settings)
    }
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** @throws UserError when the project has no such channel, or several of that name */
export async function getChannel({ store }: Pick<Deps, 'store'>, project: Project, idOrName: string): Promise<Channel> {
  const channels = await store.listChannels(project.id)
  const [match, ...others] = channels.filter(({ id, name }) => id === idOrName || (name !== '' && name === idOrName))
  if (match && others.length === 0) return match
  const what = match ? 'several channels' : 'no channel'
  throw new UserError(`project "${project.name}" has ${what} "${idOrName}"`, 'see `overdue channel list`')
}

/**
 * Sends a message about a check that does not exist. When it is taken, the channel is used again if it was disabled.
 * Where an address has not been confirmed yet, its owner is asked once more instead.
 * @returns what went wrong; null when the receiver took the message
 * @throws UserError when this version, these settings or this status give nothing to send, or no address to send to
 */
export async function testChannel(
  deps: Composes & Pick<Deps, 'store' | 'carriers'>,
  project: Project,
  channel: Channel,
  status: 'up' | 'down',
): Promise<string | null> {
  const transport = deps.transports.get(channel.kind)
  if (channel.kind === 'group') throw new UserError('a group sends nothing itself', 'test its members')
  if (!transport) throw new UserError(`this version cannot send to channels of kind ${channel.kind}`)
  if (channel.awaitsConfirmation) {
    const error = await askToConfirm(deps, project, channel)
    await deps.store.recordTest(channel.id, error ?? UNCONFIRMED)
    throw new UserError(UNCONFIRMED, error ?? 'a mail that asks for it was sent there once more')
  }
  const alert = testAlert(deps, project, channel.id, status)
  if (!transport.wants(channel.settings, alert.flip)) {
    throw new UserError(`this channel sends nothing when a check goes ${status}`, 'try the other --status')
  }
  const obstacle = findObstacle(deps, project, channel)
  if (obstacle !== null) throw new UserError(`the channel cannot be sent to: ${obstacle}`)
  const verdict = await sendAlert(deps, transport, alert, channel.settings)
  const error = verdict.kind === 'sent' ? null : verdict.error
  await deps.store.recordTest(channel.id, error)
  return error
}
