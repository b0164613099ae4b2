/** Implements the `overdue channel` commands. */
import type { Actor } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Obstacle } from '../../domain/channel/channel-state.ts'
import { quietHoursWords } from '../../domain/channel/quiet-words.ts'
import { representQuietHours } from '../../domain/channel/represent-quiet-hours.ts'
import { settingWords } from '../../domain/channel/setting-words.ts'
import { messageOf } from '../../lib/errors.ts'
import { oneLine } from '../../lib/text/text.ts'
import { deleteChannel } from '../../services/channels/channel-deletion.ts'
import { findObstacle } from '../../services/channels/channel-validity.ts'
import { createChannel, editChannel, getChannel, listChannels } from '../../services/channels/channels.ts'
import { countChecks } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import { adviceOn } from '../advice.ts'
import type { Context, ExitStatus } from '../command.ts'
import { openProject } from '../project/open-project.ts'
import type { Input } from '../terminal/io.ts'
import { optionError } from '../usage.ts'
import { quietChange } from './quiet-options.ts'

const represent = ({ id, name, kind, quietHours }: Channel) => ({
  id,
  name,
  kind,
  quiet_hours: quietHours && representQuietHours(quietHours),
})

/** Runs `overdue channel create`. */
export async function create({ openDeps, values, input, now, print }: Context): Promise<undefined> {
  const settings = await readSettings(String(values.settings), input)
  const quiet = quietChange(values, now())
  const { deps, actor } = await openProject({ openDeps, values })
  const channel = await createChannel(deps, actor, {
    kind: String(values.kind),
    name: String(values.name),
    settings,
    ...quiet,
  })
  const { id, kind, name } = channel
  const isNamesake = (other: Channel) => other.id !== id && name !== '' && other.name === name
  const namesake = (await listChannels(deps, actor)).find(isNamesake)
  const notes = [
    ...notesOn(deps, actor, channel),
    ...((await countChecks(deps, actor)) > 0
      ? ['it gets no alerts until you assign checks to it: use `overdue check set --channels`']
      : []),
    ...(namesake ? [`${namesake.kind} channel ${namesake.id} has the same name: refer to each channel by its id`] : []),
  ]
  print({ ...represent(channel), notes }, [`created ${kind} channel ${id}`, ...notes.map((note) => `→ ${note}`)])
}

/** Runs `overdue channel set`. */
export async function set(context: Context): Promise<undefined> {
  const { openDeps, argument: idOrName, values, input, now, print } = context
  const { name, settings } = values
  const change = {
    ...(name === undefined ? {} : { name: String(name) }),
    ...(settings === undefined ? {} : { settings: await readSettings(String(settings), input) }),
    ...quietChange(values, now()),
  }
  if (Object.keys(change).length === 0) {
    throw optionError('nothing to change', 'use --name, --settings, --quiet-from or --no-quiet-hours')
  }
  const { deps, actor } = await openProject({ openDeps, values })
  const stored = await getChannel(deps, actor, idOrName)
  const { quietHours } = change
  const kept = quietHours && { quietHours: { ...quietHours, upTo: stored.quietHours?.upTo ?? quietHours.upTo } }
  const channel = await editChannel(deps, actor, stored, { ...change, ...kept })
  const notes = notesOn(deps, actor, channel)
  const line = `changed ${channel.kind} channel ${channel.id}`
  print({ ...represent(channel), notes }, [line, ...notes.map((note) => `→ ${note}`)])
}

/** Runs `overdue channel delete`. */
export async function remove({ openDeps, argument: idOrName, values, print, confirm }: Context): Promise<ExitStatus> {
  const { deps, actor } = await openProject({ openDeps, values })
  const channel = await getChannel(deps, actor, idOrName)
  const { id, kind, name } = channel
  if (!confirm(`Delete the ${kind} channel "${name || id}"?`)) return 1
  await deleteChannel(deps, actor, channel)
  print(represent(channel), `deleted ${kind} channel ${id}`)
  return 0
}

/** Runs `overdue channel list`. */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const { deps, actor } = await openProject({ openDeps, values })
  const channels = await listChannels(deps, actor)
  const statuses = channels.map((channel) => statusOf(channel, findObstacle(deps, actor, channel)))
  const hasQuiet = channels.some(({ quietHours }) => quietHours !== null)
  const heads = ['ID', 'KIND', 'NAME', 'STATUS', ...(hasQuiet ? ['QUIET'] : [])]
  const rows = channels.map(({ id, kind, name, quietHours }, index) => [
    id,
    kind,
    name === '' ? null : { name },
    statuses[index] ?? '',
    ...(hasQuiet ? [quietHours && quietHoursWords(quietHours)] : []),
  ])
  print(
    channels.map((channel, index) => ({ ...represent(channel), status: statuses[index] })),
    [{ rows: [heads, ...rows] }, ...adviceOn(statuses)],
  )
}

/**
 * Describes a channel's state. A missing setting is reported last, because the server's settings may differ from the settings of this
 * process.
 */
function statusOf({ disabledReason, lastError }: Channel, obstacle: Obstacle | null): string {
  const setting = obstacle?.setting ?? null
  if (obstacle !== null && setting === null) return `stored, but ${obstacle.reason}`
  if (disabledReason !== null) return `disabled: ${disabledReason}`
  return lastError ?? (setting === null ? 'ready' : needs(setting))
}

function needs(setting: string): string {
  const { gives, page } = settingWords(setting)
  return page === null
    ? `needs ${gives} in the environment of the server (it is not set here)`
    : `needs ${gives}, of ${page} or of ${setting} in the environment of the server (neither is set here)`
}

/** Explains why the stored channel cannot be used. */
function notesOn(deps: Deps, actor: Actor, channel: Channel): string[] {
  const obstacle = findObstacle(deps, actor, channel)
  if (obstacle === null) return []
  const { reason, setting } = obstacle
  return [`stored, but ${setting === null ? oneLine(reason) : `it ${needs(setting)}`}`]
}

/** @param given JSON, or `-` for standard input */
async function readSettings(given: string, input: Input): Promise<unknown> {
  return parseSettings(given === '-' ? await input.text() : given)
}

function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const isBare = /^\s*[^\s{["]/.test(text)
    const hint = isBare
      ? `put a JSON string in double quotes: --settings '"ops@example.org"'`
      : 'check its brackets, commas and double quotes; `overdue channel create --help` shows examples'
    throw optionError(`--settings is not valid JSON: ${messageOf(error)}`, hint)
  }
}
