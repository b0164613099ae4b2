/** `overdue channel …` */
import type { Actor } from '../../domain/actor.ts'
import { CHANNEL_KINDS, type Channel } from '../../domain/alert/channel.ts'
import type { Obstacle } from '../../domain/alert/channel-state.ts'
import { messageOf } from '../../lib/errors.ts'
import { oneLine } from '../../lib/text.ts'
import { deleteChannel } from '../../services/channel-deletion.ts'
import { findObstacle } from '../../services/channel-validity.ts'
import { createChannel, editChannel, getChannel, listChannels } from '../../services/channels.ts'
import type { Deps } from '../../services/deps.ts'
import { adviceOn } from '../advice.ts'
import { type Command, openProject, PROJECT } from '../command.ts'
import { optionError } from '../usage.ts'
import { channelTestCommand } from './channel-test.ts'

const represent = ({ id, name, kind }: Channel) => ({ id, name, kind })

export const channelCommands: readonly Command[] = [
  {
    words: 'channel create',
    usage: '--project NAME_OR_ID --kind KIND [--name NAME] --settings JSON',
    summary: 'create a channel that checks can be assigned to',
    details: [
      `Kinds: ${CHANNEL_KINDS.join(', ')}.`,
      'docs/channels.md lists the settings of each kind. --settings - reads them from standard input, which keeps secrets out of',
      'the list of processes. Channels of kinds that this version cannot send to are stored too.',
      `A webhook needs only its URL: --settings '{"url": "https://example.org/hook"}'`,
    ].join('\n'),
    example: `overdue channel create --project Default --kind email --name Ops --settings '"ops@example.org"'`,
    options: {
      ...PROJECT,
      kind: { type: 'string', required: true, choices: CHANNEL_KINDS },
      name: { type: 'string', default: '' },
      settings: { type: 'string', required: true },
    },
    async run({ openDeps, values, print }) {
      const settings = await readSettings(String(values.settings))
      const { deps, actor } = await openProject({ openDeps, values })
      const channel = await createChannel(deps, actor, {
        kind: String(values.kind),
        name: String(values.name),
        settings,
      })
      const { id, kind, name } = channel
      const isNamesake = (other: Channel) => other.id !== id && name !== '' && other.name === name
      const namesake = (await listChannels(deps, actor)).find(isNamesake)
      const notes = [
        ...notesOn(deps, actor, channel),
        ...(namesake
          ? [`${namesake.kind} channel ${namesake.id} has the same name: use their ids instead of the name`]
          : []),
      ]
      print({ ...represent(channel), notes }, [`created ${kind} channel ${id}`, ...notes.map((note) => `→ ${note}`)])
      return 0
    },
  },
  {
    words: 'channel set',
    takes: ['CHANNEL'],
    usage: '--project NAME_OR_ID [--name NAME] [--settings JSON]',
    summary: 'change a channel; re-enables a disabled channel',
    details:
      'CHANNEL is a name or an id. --settings replaces all settings; --settings - reads them from standard input.',
    example: 'overdue channel set Ops --project Default --name Operations',
    options: { ...PROJECT, name: { type: 'string' }, settings: { type: 'string' } },
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { name, settings } = values
      if (name === undefined && settings === undefined) {
        throw optionError('nothing to change', 'use --name, --settings, or both')
      }
      const change = {
        ...(name === undefined ? {} : { name: String(name) }),
        ...(settings === undefined ? {} : { settings: await readSettings(String(settings)) }),
      }
      const { deps, actor } = await openProject({ openDeps, values })
      const channel = await editChannel(deps, actor, await getChannel(deps, actor, idOrName), change)
      const notes = notesOn(deps, actor, channel)
      const line = `changed ${channel.kind} channel ${channel.id}`
      print({ ...represent(channel), notes }, [line, ...notes.map((note) => `→ ${note}`)])
      return 0
    },
  },
  {
    words: 'channel delete',
    takes: ['CHANNEL'],
    usage: '--project NAME_OR_ID [--yes]',
    summary: 'delete a channel, its assignments and its pending alerts',
    details: 'CHANNEL is a name or an id. On a terminal, it asks first unless --yes is given.',
    example: 'overdue channel delete Ops --project Default --yes',
    options: { ...PROJECT, yes: { type: 'boolean', default: false } },
    async run({ openDeps, positionals: [idOrName = ''], values, print, confirm }) {
      const { deps, actor } = await openProject({ openDeps, values })
      const channel = await getChannel(deps, actor, idOrName)
      const { id, kind, name } = channel
      if (!values.yes && !confirm(`Delete the ${kind} channel "${name || id}"?`)) return 1
      await deleteChannel(deps, actor, channel)
      print(represent(channel), `deleted ${kind} channel ${id}`)
      return 0
    },
  },
  {
    words: 'channel list',
    usage: '--project NAME_OR_ID',
    summary: "list a project's channels and whether they work",
    details: 'STATUS is the outcome of the last alert or test.',
    example: 'overdue channel list --project Default',
    options: PROJECT,
    async run({ openDeps, values, print }) {
      const { deps, actor } = await openProject({ openDeps, values })
      const channels = await listChannels(deps, actor)
      const statuses = channels.map((channel) => statusOf(channel, findObstacle(deps, actor, channel)))
      const rows = channels.map(({ id, kind, name }, index) => [id, kind, name || null, statuses[index] ?? ''])
      print(
        channels.map((channel, index) => ({ ...represent(channel), status: statuses[index] })),
        [{ rows: [['ID', 'KIND', 'NAME', 'STATUS'], ...rows] }, ...adviceOn(statuses)],
      )
      return 0
    },
  },
  channelTestCommand,
]

/** Outcomes come before settings that are missing here, since the server may have other settings. */
function statusOf({ disabledReason, lastError }: Channel, obstacle: Obstacle | null): string {
  if (obstacle !== null && obstacle.setting === null) return `stored, but ${obstacle.reason}`
  if (disabledReason !== null) return `disabled: ${disabledReason}`
  return lastError ?? (obstacle === null ? 'ready' : needs(obstacle))
}

function needs({ setting }: Obstacle): string {
  return `needs ${setting} in the environment of the server (it is not set here)`
}

/** Why the stored channel cannot be sent to. */
function notesOn(deps: Deps, actor: Actor, channel: Channel): string[] {
  const obstacle = findObstacle(deps, actor, channel)
  if (obstacle === null) return []
  return [`stored, but ${obstacle.setting === null ? oneLine(obstacle.reason) : `it ${needs(obstacle)}`}`]
}

/** @param given JSON, or `-` for standard input */
async function readSettings(given: string): Promise<unknown> {
  return parseSettings(given === '-' ? await Bun.stdin.text() : given)
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
