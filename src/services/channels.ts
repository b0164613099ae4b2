/** Channels: stored with settings that their transport accepts, and listed; `channel-test.ts` tries them out. */
import {
  CHANNEL_KINDS,
  CHANNEL_NAME_LIMIT,
  type Channel,
  groupMembers,
  isChannelKind,
  UNSUBSCRIBED,
} from '../domain/channel.ts'
import { withoutSecrets } from '../domain/discretion.ts'
import { UserError } from '../domain/errors.ts'
import { mailChannelOf, wantedMailings } from '../domain/mailing.ts'
import { switchedOff, switchedOffWords } from '../domain/operator.ts'
import { problemInWords } from '../domain/problem-words.ts'
import type { Project } from '../domain/project.ts'
import { codePoints, firstProblem, listProblems } from '../domain/schema.ts'
import type { ChannelChange } from '../store/store.ts'
import { MissingSetting, type Transport } from '../transports/transport.ts'
import { testAlert } from './alert.ts'
import { askToConfirm, UNCONFIRMED } from './confirmation.ts'
import type { Deps } from './deps.ts'

/** What composing a message takes. */
export type Composes = Pick<Deps, 'now' | 'random' | 'transports' | 'site' | 'operator'>

export interface ChannelRequest {
  readonly kind: string
  readonly name: string
  readonly settings: unknown
}

export function listChannels({ store }: Pick<Deps, 'store'>, project: Project): Promise<Channel[]> {
  return store.listChannels(project.id)
}

/** Of what is wrong with the settings of a channel, no more is told at once. */
const MOST_PROBLEMS = 20

/** What storing a channel takes, with the mail that may have to be sent first. */
type Stores = Composes & Pick<Deps, 'store' | 'carriers' | 'confirmAddresses'>

/**
 * The owner of a mail address is asked first where that is needed; a mail that could not be sent is the channel's error.
 * @throws UserError when the kind is unknown or off, the name too long, or the transport cannot work with the
 * settings; what is wrong with name and settings is told together
 */
export async function createChannel(
  deps: Stores,
  project: Project,
  { kind, name, settings }: ChannelRequest,
): Promise<Channel> {
  const { store, now, random } = deps
  if (!isChannelKind(kind)) throw new UserError(`unknown kind "${kind}"`, `use one of: ${CHANNEL_KINDS.join(', ')}`)
  const off = switchedOff(kind, deps.operator)
  if (off !== null) throw new UserError(switchedOffWords(kind), `set ${off}=True`)
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
 * Changes the name, the settings, or both; a channel that was disabled is used again, unless the receiver at this very
 * address has ended it. The owner of another mail address is asked as in {@link createChannel}.
 * @throws UserError as {@link createChannel} does; nothing is changed then
 */
export async function editChannel(
  deps: Stores,
  project: Project,
  channel: Channel,
  change: Partial<Pick<Channel, 'name' | 'settings'>>,
): Promise<Channel> {
  const { host } = await accepted(deps, project, { ...channel, ...change })
  const edited = await deps.store.changeChannel(channel.id, (stored) => {
    return edit(deps, stored, { ...stored, ...change, host: 'settings' in change ? host : stored.host })
  })
  if (!edited) throw new UserError('the channel does not exist any more')
  const isAsked = edited.awaitsConfirmation && hasOtherAddress(channel, edited)
  return isAsked ? withRequest(deps, project, edited) : edited
}

function hasOtherAddress(before: Channel, after: Channel): boolean {
  const address = mailChannelOf(after)?.address
  return address !== undefined && address !== mailChannelOf(before)?.address
}

/** All that follows from an edit. */
function edit({ now, random, confirmAddresses }: Stores, before: Channel, after: Channel): ChannelChange {
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

/** The channel after its address was asked for agreement. */
async function withRequest(deps: Stores, project: Project, channel: Channel): Promise<Channel> {
  const lastError = await askToConfirm(deps, project, channel)
  if (lastError === null) return channel
  await deps.store.changeChannel(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  return { ...channel, lastError }
}

/** With its assignments and what is owed to it. */
export async function deleteChannel({ store }: Pick<Deps, 'store'>, channel: Channel): Promise<void> {
  await store.deleteChannel(channel.id)
}

/** The channel with all that follows from its settings. @throws UserError when it could not be used */
async function accepted(deps: Composes & Pick<Deps, 'store'>, project: Project, channel: Channel): Promise<Channel> {
  const { kind, settings } = channel
  const transport = deps.transports.get(kind)
  const isTooLong = codePoints(channel.name) > CHANNEL_NAME_LIMIT
  const wrongSettings = transport ? listProblems(transport.settings, settings, MOST_PROBLEMS) : []
  const problems = [
    ...(isTooLong ? [`the name is too long (at most ${CHANNEL_NAME_LIMIT} characters)`] : []),
    ...wrongSettings.map((problem) => `in the settings, ${problemInWords(problem)}`),
  ]
  if (problems.length > 0) {
    const hint = wrongSettings.length > 0 ? settingsHint(transport) : 'use another name'
    throw new UserError(`the ${kind} channel is not valid`, hint, { problems })
  }
  if (kind === 'group') await requireMembers(deps, project, channel)
  const host = transport ? hostOf(tryOut(deps, transport, project, channel)) : null
  return { ...channel, host: host ?? kind }
}

function settingsHint(transport: Transport | undefined): string {
  const where = 'see docs/channels.md for the fields of each kind'
  return transport?.needs === undefined ? where : `${transport.needs}; ${where}`
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
      throw new UserError(
        `these settings give no valid message when a check goes ${status}: ${reason}`,
        settingsHint(transport),
      )
    }
  }
  return message
}

/** What keeps a stored channel from being sent to. */
export interface Obstacle {
  readonly reason: string
  /** what the settings of this process lack, which another process on the same database may have; null: it is not that */
  readonly setting: string | null
}

/** Null when nothing keeps a channel from being sent to. */
export function findObstacle(deps: Composes, project: Project, channel: Channel): Obstacle | null {
  const unusable = (reason: string) => ({ reason, setting: null })
  if (channel.kind === 'group') return null
  const transport = deps.transports.get(channel.kind)
  if (!transport) return unusable('this version cannot send to it')
  const off = switchedOff(channel.kind, deps.operator)
  if (off !== null) return { reason: switchedOffWords(channel.kind), setting: `${off}=True` }
  if (channel.awaitsConfirmation) return unusable(channel.lastError ?? UNCONFIRMED)
  try {
    for (const status of ['down', 'up'] as const) {
      const alert = testAlert(deps, project, channel.id, status)
      // Reports and reminders go to a mail channel also when alerts do not.
      const isUsed = channel.kind === 'email' || transport.wants(channel.settings, alert.flip)
      if (isUsed) transport.render(alert, channel.settings)
    }
    return null
  } catch (error) {
    if (error instanceof MissingSetting) return { reason: error.message, setting: error.setting }
    const problem = firstProblem(transport.settings, channel.settings)
    if (problem) return unusable(`in the settings, ${problemInWords(problem)}`)
    // Lists are shown around, and a URL that is none may hold a token all the same.
    return unusable(withoutSecrets(error instanceof Error ? error.message : String(error)))
  }
}

/** @throws UserError when the project has no such channel, or several of that name */
export async function getChannel({ store }: Pick<Deps, 'store'>, project: Project, idOrName: string): Promise<Channel> {
  const channels = await store.listChannels(project.id)
  const [match, ...others] = channels.filter(({ id, name }) => id === idOrName || (name !== '' && name === idOrName))
  if (match && others.length === 0) return match
  if (!match)
    throw new UserError(`project "${project.name}" has no channel "${idOrName}"`, 'see `overdue channel list`')
  const problems = [match, ...others].map(({ id, kind }) => `${id}  ${kind}`)
  throw new UserError(`project "${project.name}" has several channels "${idOrName}"`, 'use one of these ids', {
    problems,
  })
}
