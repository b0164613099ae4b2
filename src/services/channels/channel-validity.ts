/** Checks whether a channel is valid, and whether the server can send messages to it. */

import type { Actor } from '../../domain/actor.ts'
import { CHANNEL_NAME_LIMIT, type Channel, ChannelSpec, groupMembers } from '../../domain/channel/channel.ts'
import type { Obstacle } from '../../domain/channel/channel-state.ts'
import { Refusal, type RefusalFacts } from '../../domain/errors.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import { problemInWords } from '../../domain/problem-words.ts'
import type { Project } from '../../domain/project.ts'
import { redact } from '../../domain/redaction.ts'
import { firstProblem, listProblems } from '../../domain/schema.ts'
import { messageOf } from '../../lib/errors.ts'
import { switchedOff, switchedOffWords } from '../../transports/operator.ts'
import { MissingSetting, type Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { testAlert } from '../courier/alert.ts'
import { settingsMistakes } from './settings-problems.ts'

/** Dependencies for composing a message. */
export type ComposeDeps = Pick<Deps, 'now' | 'random' | 'transports' | 'site' | 'operator'>

/** Maximum number of settings problems to list in an error. */
const MAX_PROBLEMS = 20

/**
 * Validates the channel, and returns it with the host from its settings.
 * @throws Refusal if the name or the settings are invalid, or if the channel is a group with quiet hours
 */
export async function accepted(
  deps: ComposeDeps & Pick<Deps, 'store'>,
  project: Project,
  channel: Channel,
): Promise<Channel> {
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
  if (kind === 'group' && channel.quietHours !== null) {
    throw new Refusal('group-quiet-hours', 'a group has no quiet hours')
  }
  const host = transport ? hostOf(tryOut(deps, transport, project, channel)) : null
  return { ...channel, host: host ?? kind }
}

/**
 * Rejects mistakes in new settings. {@link accepted} tolerates these mistakes, because stored settings may contain them.
 * @throws Refusal `channel-settings-invalid`
 */
export function refuseMistakes({ transports }: Pick<Deps, 'transports'>, { kind, settings }: Channel): void {
  const mistakes = settingsMistakes(transports, kind, settings)
  if (mistakes.length === 0) return
  const problems = mistakes.map((mistake) => `in the settings, ${mistake}`)
  throw invalidSettings(`the ${kind} channel is not valid`, kind, transports.get(kind), { problems })
}

/** Returns a channel's host, even for an invalid channel. */
export function hostOfChannel(deps: ComposeDeps, project: Project, channel: Channel): string {
  const transport = deps.transports.get(channel.kind)
  try {
    return (transport && hostOf(tryOut(deps, transport, project, channel))) ?? channel.kind
  } catch {
    return channel.kind
  }
}

function invalidSettings(
  message: string,
  kind: string,
  transport: Transport | undefined,
  facts: Pick<RefusalFacts, 'problems'> = {},
): Refusal {
  return new Refusal('channel-settings-invalid', message, { kind, needs: transport?.needs ?? null, ...facts })
}

/**
 * Returns the host that a message is sent to. Only HTTP requests have a host, because all emails are sent to the same mail server, and
 * commands run on this machine.
 */
function hostOf(message: unknown): string | null {
  return message instanceof Request ? new URL(message.url).host : null
}

async function requireMembers({ store }: Pick<Deps, 'store'>, project: Project, group: Channel): Promise<void> {
  const channels = await store.channels.list(project.id)
  const possible = new Set(channels.filter(({ kind }) => kind !== 'group').map(({ id }) => id))
  const members = groupMembers(group)
  const stranger = members.find((id) => !possible.has(id))
  if (members.length > 0 && stranger === undefined) return
  const what = stranger === undefined ? 'a group needs members' : `"${stranger}" cannot be a member of a group`
  throw new Refusal('group-members-invalid', what, { project: project.name })
}

/**
 * Renders a message, so that an invalid URL or header is detected now rather than with the first alert. A missing server setting does
 * not make the channel invalid.
 * @returns the message; null if a setting is missing or the channel sends nothing
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

/** Returns why the server can't send to the channel, or null if it can. */
export function findObstacle(
  deps: ComposeDeps,
  { project }: Pick<Actor, 'project'>,
  channel: Channel,
): Obstacle | null {
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
      // An email channel sends reports and reminders even if it does not send alerts.
      const isUsed = channel.kind === 'email' || transport.wants(channel.settings, alert.flip)
      if (isUsed) transport.render(alert, channel.settings)
    }
    return null
  } catch (error) {
    if (error instanceof MissingSetting) return { reason: error.message, setting: error.setting }
    const problem = firstProblem(transport.settings, channel.settings)
    if (problem) return unusable(`in the settings, ${problemInWords(problem)}`)
    // Users share screenshots of channel lists, and a token may appear even in an invalid URL.
    return unusable(redact(messageOf(error)))
  }
}
