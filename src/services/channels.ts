/** Channels: stored with settings that their transport accepts, and listed. */
import { CHANNEL_KINDS, CHANNEL_NAME_LIMIT, type Channel, groupMembers, isChannelKind } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { codePoints, firstProblem, type Problem } from '../domain/schema.ts'
import { MissingSetting, type Transport } from '../transports/transport.ts'
import { testAlert } from './alert.ts'
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

/** @throws UserError when the kind is unknown, the name too long, or the transport cannot work with the settings */
export async function createChannel(
  deps: Composes & Pick<Deps, 'store'>,
  project: Project,
  { kind, name, settings }: ChannelRequest,
): Promise<Channel> {
  const { store, now, random, transports } = deps
  if (!isChannelKind(kind)) throw new UserError(`unknown kind "${kind}"`, `use one of: ${CHANNEL_KINDS.join(', ')}`)
  if (codePoints(name) > CHANNEL_NAME_LIMIT) {
    throw new UserError(`the name is too long`, `use at most ${CHANNEL_NAME_LIMIT} characters`)
  }
  const transport = transports.get(kind)
  const problem = transport ? firstProblem(transport.settings, settings) : null
  if (problem) {
    throw new UserError(
      `the settings of a ${kind} channel are not right: ${problem.path.slice(1) || 'the value'} is ${inWords(problem)}`,
      `see docs/channels.md for the fields of each kind`,
    )
  }
  const channel: Channel = {
    id: random.uuid(),
    projectId: project.id,
    name,
    kind,
    settings,
    createdAt: now(),
    disabledReason: null,
    lastError: null,
  }
  if (kind === 'group') await requireMembers(deps, project, channel)
  if (transport) refuseUnsendable(deps, transport, project, channel)
  await store.createChannel(channel)
  return channel
}

/** What the operator has not set yet is no fault of the channel's. */
function refuseUnsendable(deps: Composes, transport: Transport, project: Project, channel: Channel): void {
  try {
    for (const status of ['down', 'up'] as const) tryOut(deps, transport, project, channel, status)
  } catch (error) {
    if (!(error instanceof MissingSetting)) throw error
  }
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
 * A URL or a header that no request can have would otherwise show when the first alert is lost.
 * @throws UserError for such settings
 * @throws MissingSetting when only the operator's part is missing, which can still come
 */
function tryOut(deps: Composes, transport: Transport, project: Project, channel: Channel, status: 'up' | 'down'): void {
  const alert = testAlert(deps, project, channel.id, status)
  if (!transport.wants(channel.settings, alert.flip)) return
  try {
    transport.render(alert, channel.settings)
  } catch (error) {
    if (error instanceof MissingSetting) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(`these settings give no valid message when a check goes ${status}: ${reason}`)
  }
}

/** What keeps a stored channel from being sent to on this server; null when nothing does. */
export function findObstacle(deps: Composes, project: Project, channel: Channel): string | null {
  if (channel.kind === 'group') return null
  const transport = deps.transports.get(channel.kind)
  if (!transport) return 'this version cannot send to it'
  try {
    for (const status of ['down', 'up'] as const) tryOut(deps, transport, project, channel, status)
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
 * @returns what went wrong; null when the receiver took the message
 * @throws UserError when this version, these settings or this status give nothing to send
 */
export async function testChannel(
  deps: Composes & Pick<Deps, 'store' | 'send'>,
  project: Project,
  channel: Channel,
  status: 'up' | 'down',
): Promise<string | null> {
  const transport = deps.transports.get(channel.kind)
  if (channel.kind === 'group') throw new UserError('a group sends nothing itself', 'test its members')
  if (!transport) throw new UserError(`this version cannot send to channels of kind ${channel.kind}`)
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
