/** `overdue channel …` */
import { CHANNEL_KINDS, type Channel } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { oneLine } from '../domain/text.ts'
import {
  createChannel,
  deleteChannel,
  editChannel,
  findObstacle,
  getChannel,
  listChannels,
  type Obstacle,
} from '../services/channels.ts'
import type { Deps } from '../services/deps.ts'
import { adviceOn } from './advice.ts'
import { channelTestCommand } from './channel-test.ts'
import { type Command, openProject, requireAll } from './command.ts'

const represent = ({ id, name, kind }: Channel) => ({ id, name, kind })

export const channelCommands: readonly Command[] = [
  {
    words: 'channel create',
    usage: '--project NAME_OR_ID --kind KIND [--name NAME] --settings JSON',
    summary: 'create a channel that checks can be assigned to',
    details: [
      `Kinds: ${CHANNEL_KINDS.join(', ')}.`,
      'docs/channels.md has the settings of each kind. --settings - reads them from standard input, so that their secrets',
      'do not show in the list of processes. A channel of a kind that this version cannot send to is stored all the same.',
      `A webhook needs its URL only: --settings '{"url": "https://example.org/hook"}'`,
    ].join('\n'),
    example: `overdue channel create --project Default --kind email --name Ops --settings '"ops@example.org"'`,
    options: {
      project: { type: 'string' },
      kind: { type: 'string', choices: CHANNEL_KINDS },
      name: { type: 'string', default: '' },
      settings: { type: 'string' },
    },
    async run({ openDeps, values, print }) {
      const [, kind = '', given = ''] = requireAll(values, 'project', 'kind', 'settings')
      const settings = await readSettings(given)
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await createChannel(deps, project, { kind, name: String(values.name), settings })
      const isNamesake = ({ id, name }: Channel) => id !== channel.id && name !== '' && name === channel.name
      const namesake = (await listChannels(deps, project)).find(isNamesake)
      const advice = namesake ? [`→ ${namesake.kind} channel ${namesake.id} has this name too: use ids for both`] : []
      print(represent(channel), [inWords(deps, project, channel), ...advice])
      return 0
    },
  },
  {
    words: 'channel set',
    takes: ['CHANNEL'],
    usage: '--project NAME_OR_ID [--name NAME] [--settings JSON]',
    summary: 'change a channel; re-enables a disabled channel',
    details:
      'CHANNEL is a name or an id. New settings replace all of the old ones; --settings - reads them from standard input.',
    example: 'overdue channel set Ops --project Default --name Operations',
    options: { project: { type: 'string' }, name: { type: 'string' }, settings: { type: 'string' } },
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { name, settings } = values
      if (name === undefined && settings === undefined) {
        throw new UserError('nothing to change', 'use --name, --settings, or both')
      }
      const change = {
        ...(name === undefined ? {} : { name: String(name) }),
        ...(settings === undefined ? {} : { settings: await readSettings(String(settings)) }),
      }
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await editChannel(deps, project, await getChannel(deps, project, idOrName), change)
      print(represent(channel), inWords(deps, project, channel))
      return 0
    },
  },
  {
    words: 'channel delete',
    takes: ['CHANNEL'],
    usage: '--project NAME_OR_ID [--yes]',
    summary: 'delete a channel with its assignments and the alerts that it has not sent',
    details: 'CHANNEL is a name or an id. On a terminal it asks first, unless --yes is given.',
    example: 'overdue channel delete Ops --project Default --yes',
    options: { project: { type: 'string' }, yes: { type: 'boolean', default: false } },
    async run({ openDeps, positionals: [idOrName = ''], values, print, confirm }) {
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await getChannel(deps, project, idOrName)
      const { id, kind, name } = channel
      if (!values.yes && !confirm(`Delete the ${kind} channel "${name || id}"?`)) return 1
      await deleteChannel(deps, channel)
      print(represent(channel), `deleted ${kind} channel ${id}`)
      return 0
    },
  },
  {
    words: 'channel list',
    usage: '--project NAME_OR_ID',
    summary: "list a project's channels and whether they work",
    details: 'STATUS is what the last alert or test met with.',
    example: 'overdue channel list --project Default',
    options: { project: { type: 'string' } },
    async run({ openDeps, values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const channels = await listChannels(deps, project)
      const statuses = channels.map((channel) => statusOf(channel, findObstacle(deps, project, channel)))
      const rows = channels.map(({ id, kind, name }, index) => [id, kind, name, statuses[index] ?? ''])
      print(
        channels.map((channel, index) => ({ ...represent(channel), status: statuses[index] })),
        [{ rows: [['ID', 'KIND', 'NAME', 'STATUS'], ...rows] }, ...adviceOn(statuses)],
      )
      return 0
    },
  },
  channelTestCommand,
]

/** What has happened says more than what this command lacks, since the server may have other settings. */
function statusOf({ disabledReason, lastError }: Channel, obstacle: Obstacle | null): string {
  if (obstacle !== null && obstacle.setting === null) return `stored, but ${obstacle.reason}`
  if (disabledReason !== null) return `disabled: ${disabledReason}`
  return lastError ?? (obstacle === null ? 'ready' : needs(obstacle))
}

function needs({ setting }: Obstacle): string {
  return `needs ${setting} in the server's environment (this command's lacks it)`
}

function inWords(deps: Deps, project: Project, channel: Channel): string {
  const obstacle = findObstacle(deps, project, channel)
  const line = `${channel.kind} channel ${channel.id}`
  if (obstacle === null) return line
  return `${line}\nstored, but ${obstacle.setting === null ? oneLine(obstacle.reason) : `it ${needs(obstacle)}`}`
}

/** @param given JSON, or `-` for standard input */
async function readSettings(given: string): Promise<unknown> {
  return parseSettings(given === '-' ? await Bun.stdin.text() : given)
}

function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = `a text alone needs its own quotes: --settings '"ops@example.org"'`
    throw new UserError(`--settings is not valid JSON: ${error instanceof Error ? error.message : error}`, hint)
  }
}
