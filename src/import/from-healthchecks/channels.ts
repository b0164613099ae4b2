/** Converts the Healthchecks integrations whose settings Overdue's transports accept. */

import { keptError } from '../../domain/alert/delivery.ts'
import { CHANNEL_NAME_LIMIT, groupMembers } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { distinctTimes } from '../../domain/import/distinct-times.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'
import type { Instant } from '../../lib/time.ts'
import { isChannelKind } from '../../services/channels/channel-kinds.ts'
import { settingsProblem, settingsToDo } from '../../services/channels/settings-problems.ts'
import type { Registry } from '../../transports/transport.ts'
import { channelSettings } from './channel-settings.ts'
import { type Note, named } from './notes.ts'
import type { SourceRow } from './tables.ts'
import { cut, flagOf, instantOf, textOf, uuidOf } from './values.ts'

interface ChannelContext {
  /** name of the project */
  readonly project: string
  readonly transports: Registry
  /** creation time for integrations that have none */
  readonly otherwise: Instant
  readonly note: Note
}

/** Kinds of integrations that are imported switched off, because a member must review them first. */
const HELD: Partial<Record<ChannelKind, { readonly reason: string; readonly words: string; readonly advice: string }>> =
  {
    github: {
      reason: 'needs an access token',
      words: 'Healthchecks opens issues as a GitHub app, whose key only that server has.',
      advice: 'Enter an access token: that switches it on.',
    },
    shell: {
      reason: 'runs commands on another machine than before',
      words: 'Its commands would run on this machine, which may lack the programs that they need.',
      advice: 'Check the commands and save them: that switches it on.',
    },
  }

/**
 * @param rows rows of one project, in order of creation @returns channels by row id; a note is added for each row that cannot be imported
 */
export function mapChannels(rows: readonly SourceRow[], context: ChannelContext): ReadonlyMap<string, ImportedChannel> {
  const times = distinctTimes(rows.map(({ created }) => instantOf(created) ?? context.otherwise))
  const channels = new Map<string, ImportedChannel>()
  for (const [index, row] of rows.entries()) {
    const channel = mapChannel(row, times[index] ?? context.otherwise, context)
    if (channel !== null) channels.set(textOf(row.id), channel)
  }
  return withoutLostMembers(channels, context)
}

function mapChannel(row: SourceRow, createdAt: Instant, context: ChannelContext): ImportedChannel | null {
  const { project, note } = context
  const [id, kind, name] = [uuidOf(row.code), textOf(row.kind), cut(textOf(row.name), CHANNEL_NAME_LIMIT)]
  const about = { subject: 'integration', name: named(name, kind), project }
  if (id === null || !isChannelKind(kind)) {
    const reason = `Overdue has no integrations of kind ${kind}.`
    note({ ...about, kind: 'left-out', reason, advice: 'Use another kind, such as webhook or apprise.' })
    return null
  }
  const held = HELD[kind]
  const settings = channelSettings(kind, textOf(row.value))
  const problem = held === undefined ? settingsProblem(context.transports, kind, settings) : null
  if (problem !== null) {
    const reason = `Its settings are not valid here: in the settings of ${kind}, ${problem}.`
    note({ ...about, kind: 'left-out', reason, advice: 'Add it by hand.' })
    return null
  }
  if (held) note({ ...about, kind: 'to-do', reason: `It is imported switched off. ${held.words}`, advice: held.advice })
  else for (const left of settingsToDo(context.transports, kind, settings)) note({ ...about, kind: 'to-do', ...left })
  const lastError = keptError(textOf(row.last_error)) || null
  return {
    id,
    name,
    kind,
    settings,
    createdAt,
    disabledReason: flagOf(row.disabled) ? disabledReason(lastError) : (held?.reason ?? null),
    lastError,
    awaitsConfirmation: kind === 'email' && !flagOf(row.email_verified),
    quietHours: null,
  }
}

function disabledReason(error: string | null): string {
  return error === null ? 'disabled in Healthchecks' : `disabled in Healthchecks: ${error}`
}

/** Removes group members that could not be imported. Groups refer to their members by id, and ids do not change. */
function withoutLostMembers(
  channels: ReadonlyMap<string, ImportedChannel>,
  { project, note }: ChannelContext,
): ReadonlyMap<string, ImportedChannel> {
  const known = new Map([...channels.values()].map((channel) => [channel.id, channel]))
  const kept = new Map<string, ImportedChannel>()
  for (const [row, channel] of channels) {
    if (channel.kind !== 'group') {
      kept.set(row, channel)
      continue
    }
    const members = groupMembers(channel)
    const present = members.filter((id) => known.has(id) && known.get(id)?.kind !== 'group')
    const about = { subject: 'integration', name: named(channel.name, 'group'), project }
    if (present.length === 0) {
      note({ ...about, kind: 'left-out', reason: 'None of the members of the group exists.' })
      continue
    }
    const [lost, off] = [members.length - present.length, present.filter((id) => known.get(id)?.disabledReason)]
    if (lost > 0)
      note({
        ...about,
        kind: 'changed',
        reason: `It is imported with ${present.length} of its ${members.length} members, because the others do not exist.`,
      })
    if (off.length > 0) {
      const reason = `Disabled members (${off.length} of ${present.length}) get no alerts here. Healthchecks sent them alerts nevertheless.`
      note({ ...about, kind: 'changed', reason })
    }
    kept.set(row, { ...channel, settings: present.join(',') })
  }
  return kept
}
