/** `overdue channel …` */
import { CHANNEL_KINDS, type Channel } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { oneLine } from '../domain/text.ts'
import { type MemberTest, testChannel, testMembers } from '../services/channel-test.ts'
import {
  createChannel,
  deleteChannel,
  editChannel,
  findObstacle,
  getChannel,
  listChannels,
} from '../services/channels.ts'
import type { Deps } from '../services/deps.ts'
import { adviceOn } from './advice.ts'
import { type Command, openProject, required, table } from './command.ts'

const represent = ({ id, name, kind }: Channel) => ({ id, name, kind })

export const channelCommands: readonly Command[] = [
  {
    words: 'channel create',
    usage: '--project NAME_OR_ID --kind KIND [--name NAME] --settings JSON',
    summary: 'make a channel that checks can be assigned to',
    details: `Kinds: ${CHANNEL_KINDS.join(', ')}.\nOne that cannot be sent to yet is stored, and says so.\nSettings given as - are read from standard input, where nobody else sees their secrets.\nA webhook needs its URL only: --settings '{"url": "https://example.org/hook"}'\nThe settings of each kind: docs/channels.md.`,
    options: {
      project: { type: 'string' },
      kind: { type: 'string' },
      name: { type: 'string', default: '' },
      settings: { type: 'string' },
    },
    positionals: 0,
    async run({ openDeps, values, print }) {
      const kind = required(values, 'kind')
      const settings = await readSettings(required(values, 'settings'))
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await createChannel(deps, project, { kind, name: String(values.name), settings })
      print(represent(channel), inWords(deps, project, channel))
    },
  },
  {
    words: 'channel set',
    usage: 'CHANNEL --project NAME_OR_ID [--name NAME] [--settings JSON]',
    summary: 'change a channel; one that was disabled is used again',
    details: 'Settings replace the old ones as a whole; given as - they are read from standard input.',
    options: { project: { type: 'string' }, name: { type: 'string' }, settings: { type: 'string' } },
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { name, settings } = values
      if (name === undefined && settings === undefined) {
        throw new UserError('nothing to change', 'give --name, --settings, or both')
      }
      const change = {
        ...(name === undefined ? {} : { name: String(name) }),
        ...(settings === undefined ? {} : { settings: await readSettings(String(settings)) }),
      }
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await editChannel(deps, project, await getChannel(deps, project, idOrName), change)
      print(represent(channel), inWords(deps, project, channel))
    },
  },
  {
    words: 'channel delete',
    usage: 'CHANNEL --project NAME_OR_ID',
    summary: 'delete a channel, its assignments, and what is still owed to it',
    options: { project: { type: 'string' } },
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await getChannel(deps, project, idOrName)
      await deleteChannel(deps, channel)
      print(represent(channel), `deleted ${channel.kind} channel ${channel.id}`)
    },
  },
  {
    words: 'channel list',
    usage: '--project NAME_OR_ID',
    summary: "show a project's channels and how they fare",
    options: { project: { type: 'string' } },
    positionals: 0,
    async run({ openDeps, values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const channels = await listChannels(deps, project)
      const fare = (channel: Channel) => {
        const obstacle = findObstacle(deps, project, channel)
        if (obstacle !== null) return `stored, but ${obstacle}`
        return channel.disabledReason ? `disabled: ${channel.disabledReason}` : (channel.lastError ?? 'ready')
      }
      print(
        channels.map((channel) => ({ ...represent(channel), status: fare(channel) })),
        table([['ID', 'KIND', 'NAME', 'STATUS'], ...channels.map((c) => [c.id, c.kind, c.name, fare(c)])]) +
          adviceOn(channels.map(fare)),
      )
    },
  },
  {
    words: 'channel test',
    usage: 'CHANNEL --project NAME_OR_ID [--status down|up]',
    summary: 'send a message about a check that does not exist; a disabled channel that works is used again',
    details: 'Of a group each member is tested. Ends with 1 when one message was not taken.',
    options: { project: { type: 'string' }, status: { type: 'string', default: 'down' } },
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { status } = values
      if (status !== 'down' && status !== 'up') throw new UserError(`unknown status "${status}"`, 'give down or up')
      const { deps, project } = await openProject({ openDeps, values })
      const channel = await getChannel(deps, project, idOrName)
      if (channel.kind === 'group') {
        const tests = await testMembers(deps, project, channel, status)
        print({ ...represent(channel), members: tests.map(representTest) }, membersInWords(tests))
        return tests.every(({ error }) => error === null) ? 0 : 1
      }
      const error = await testChannel(deps, project, channel, status)
      print(representTest({ channel, error }), testInWords(error) + adviceOn([error]))
      return error === null ? 0 : 1
    },
  },
]

const representTest = ({ channel, error }: MemberTest) => ({ ...represent(channel), error })

function testInWords(error: string | null): string {
  return error === null ? 'the receiver took the message' : `not sent: ${oneLine(error)}`
}

function membersInWords(tests: readonly MemberTest[]): string {
  const rows = tests.map(({ channel: { id, kind, name }, error }) => [id, kind, name, testInWords(error)])
  const taken = tests.filter(({ error }) => error === null).length
  return `${table(rows)}\n${taken} of ${tests.length} took the message${adviceOn(tests.map(({ error }) => error))}`
}

function inWords(deps: Deps, project: Project, channel: Channel): string {
  const obstacle = findObstacle(deps, project, channel)
  return `${channel.kind} channel ${channel.id}${obstacle === null ? '' : `\nstored, but ${oneLine(obstacle)}`}`
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
    throw new UserError(`--settings is no JSON: ${error instanceof Error ? error.message : error}`, hint)
  }
}
