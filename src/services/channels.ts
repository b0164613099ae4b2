/** Creates, edits and lists channels; `channel-test.ts` tests them. */

import { switchedOff, switchedOffWords } from '../config/operator.ts'
import { type Actor, requireRight } from '../domain/actor.ts'
import {
  CHANNEL_KINDS,
  CHANNEL_NAME_LIMIT,
  type Channel,
  ChannelSpec,
  groupMembers,
  isChannelKind,
  UNSUBSCRIBED,
} from '../domain/alert/channel.ts'
import type { Obstacle } from '../domain/alert/channel-state.ts'
import { Refusal, type RefusalFacts } from '../domain/errors.ts'
import { mailChannelOf, wantedMailings } from '../domain/mail/mailing.ts'
import { problemInWords } from '../domain/problem-words.ts'
import type { Project } from '../domain/project.ts'
import { redact } from '../domain/redaction.ts'
import { firstProblem, listProblems } from '../domain/schema.ts'
import { messageOf } from '../lib/errors.ts'
import { suggest } from '../lib/suggest.ts'
import { isUuid } from '../lib/uuid.ts'
import type { ChannelChange } from '../store/store.ts'
import { MissingSetting, type Transport } from '../transports/transport.ts'
import { authorOf } from './author.ts'
import { testAlert } from './courier/alert.ts'
import type { Deps } from './deps.ts'
import { askToConfirm, UNCONFIRMED } from './mail/confirmation.ts'

/** What composing a message needs. */
export type ComposeDeps = Pick<Deps, 'now' | 'random' | 'transports' | 'site' | 'operator'>

export interface ChannelRequest {
  readonly kind: string
  readonly name: string
  readonly settings: unknown
}

export function listChannels({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<Channel[]> {
  return store.listChannels(project.id)
}

/** An error lists at most this many problems of a channel's settings. */
const MAX_PROBLEMS = 20

/** What storing a channel needs, including to send its confirmation email. */
type StoreDeps = ComposeDeps & Pick<Deps, 'store' | 'carriers' | 'confirmAddresses'>

/**
 * Asks the owner of an email address to confirm it, if the server requires that. If that email cannot be sent, the reason
 * becomes the channel's last error.
 * @throws Refusal when the kind is unknown or off, or with all problems of the name and the settings
 */
export async function createChannel(
  deps: StoreDeps,
  actor: Actor,
  { kind, name, settings }: ChannelRequest,
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
  })
  const mail = mailChannelOf(draft)
  const channel = { ...draft, awaitsConfirmation: mail !== null && deps.confirmAddresses }
  await store.by(authorOf(deps, actor.by)).createChannel(channel, wantedMailings(null, mail, now(), random.fraction()))
  return channel.awaitsConfirmation ? withRequest(deps, project, channel) : channel
}

/**
 * Changes the name, the settings, or both. This re-enables a disabled channel, unless the receiver at the same address has
 * unsubscribed. The owner of a new email address is asked as in {@link createChannel}.
 * @throws Refusal as {@link createChannel} does; nothing is changed then
 */
export async function editChannel(
  deps: StoreDeps,
  actor: Actor,
  channel: Channel,
  change: Partial<Pick<Channel, 'name' | 'settings'>>,
): Promise<Channel> {
  requireRight(actor, 'write', channel)
  const { project } = actor
  const { host } = await accepted(deps, project, { ...channel, ...change })
  const edited = await deps.store.by(authorOf(deps, actor.by)).changeChannel(channel.id, (stored) => {
    return edit(deps, stored, { ...stored, ...change, host: 'settings' in change ? host : stored.host })
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

/** The channel and its mailings after an edit. */
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

/** Sends the confirmation email. @returns the channel, with its error if that failed */
async function withRequest(deps: StoreDeps, project: Project, channel: Channel): Promise<Channel> {
  const lastError = await askToConfirm(deps, project, channel)
  if (lastError === null) return channel
  await deps.store.changeChannel(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  return { ...channel, lastError }
}

/** The channel with the host that its settings name. @throws Refusal when its name or settings are not valid */
async function accepted(deps: ComposeDeps & Pick<Deps, 'store'>, project: Project, channel: Channel): Promise<Channel> {
  const { kind, settings } = channel
  const transport = deps.transports.get(kind)
  const wrongName = listProblems(ChannelSpec, { name: channel.name }, 1)
  const wrongSettings = transport ? listProblems(transport.settings, settings, MAX_PROBLEMS) : []
  const problems = [
    ...wrongName.map((problem) => `the ${problemInWords(problem)}`),
    ...wrongSettings.map((problem) => `in the settings, ${problemInWords(problem)}`),
  ]
  if (problems.length > 0) {
    const message = `the ${kind} channel is not valid`
    if (wrongSettings.length > 0) throw invalidSettings(message, kind, transport, { problems })
    throw new Refusal('name-invalid', message, { limit: CHANNEL_NAME_LIMIT, problems })
  }
  if (kind === 'group') await requireMembers(deps, project, channel)
  const host = transport ? hostOf(tryOut(deps, transport, project, channel)) : null
  return { ...channel, host: host ?? kind }
}

function invalidSettings(
  message: string,
  kind: string,
  transport: Transport | undefined,
  facts: Pick<RefusalFacts, 'problems'> = {},
): Refusal {
  return new Refusal('channel-settings-invalid', message, { kind, needs: transport?.needs ?? null, ...facts })
}

/** Only requests have a host: all emails go to one server, and commands run on this machine. */
function hostOf(message: unknown): string | null {
  return message instanceof Request ? new URL(message.url).host : null
}

async function requireMembers({ store }: Pick<Deps, 'store'>, project: Project, group: Channel): Promise<void> {
  const channels = await store.listChannels(project.id)
  const isMember = (id: string) => channels.some((channel) => channel.id === id && channel.kind !== 'group')
  const members = groupMembers(group)
  const stranger = members.find((id) => !isMember(id))
  if (members.length > 0 && stranger === undefined) return
  const what = stranger === undefined ? 'a group needs members' : `"${stranger}" cannot be a member of a group`
  throw new Refusal('group-members-invalid', what, { project: project.name })
}

/**
 * Renders a message, so that an invalid URL or header is found now and not with the first alert. A missing setting of the
 * operator is not an error of the channel.
 * @returns the message; null when a setting is missing or the channel sends nothing
 * @throws Refusal `channel-settings-invalid`
 */
function tryOut(deps: ComposeDeps, transport: Transport, project: Project, channel: Channel): unknown {
  let message: unknown = null
  for (const status of ['up', 'down'] as const) {
    const alert = testAlert(deps, project, channel.id, status)
    if (!transport.wants(channel.settings, alert.flip)) continue
    try {
      message = transport.render(alert, channel.settings)
    } catch (error) {
      if (error instanceof MissingSetting) continue
      const message = `these settings do not make a valid message when a check goes ${status}: ${messageOf(error)}`
      throw invalidSettings(message, channel.kind, transport)
    }
  }
  return message
}

/** Null when the channel can be sent to. */
export function findObstacle(deps: ComposeDeps, { project }: Actor, channel: Channel): Obstacle | null {
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
      // Reports and reminders go to an email channel even when alerts do not.
      const isUsed = channel.kind === 'email' || transport.wants(channel.settings, alert.flip)
      if (isUsed) transport.render(alert, channel.settings)
    }
    return null
  } catch (error) {
    if (error instanceof MissingSetting) return { reason: error.message, setting: error.setting }
    const problem = firstProblem(transport.settings, channel.settings)
    if (problem) return unusable(`in the settings, ${problemInWords(problem)}`)
    // People share lists of channels, and even an invalid URL may contain a token.
    return unusable(redact(messageOf(error)))
  }
}

/** @throws Refusal `not-found` when the project has no such channel */
export async function getChannelById({ store }: Pick<Deps, 'store'>, { project }: Actor, id: string): Promise<Channel> {
  const channel = isUuid(id) ? await store.findChannel(id) : null
  if (channel?.projectId === project.id) return channel
  throw new Refusal('not-found', 'not found')
}

/** @throws Refusal `channel-not-found`; `channel-ambiguous` when the project has several channels of that name */
export async function getChannel(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  idOrName: string,
): Promise<Channel> {
  const channels = await store.listChannels(project.id)
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
