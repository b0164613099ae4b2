/** `overdue channel test`: a message sent now, and what came of it. */
import type { Channel } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import { oneLine } from '../domain/text.ts'
import { type MemberTest, testChannel, testMembers } from '../services/channel-test.ts'
import { getChannel } from '../services/channels.ts'
import { adviceOn } from './advice.ts'
import { type Command, type Context, openProject } from './command.ts'
import type { Shown } from './screen.ts'

const STATUSES = ['down', 'up'] as const

export const channelTestCommand: Command = {
  words: 'channel test',
  takes: ['CHANNEL'],
  usage: '--project NAME_OR_ID [--status down|up]',
  summary: 'send a test message through a channel; re-enables a disabled channel if it is accepted',
  details: [
    'CHANNEL is a name or an id. The message is about a check named TEST, which does not exist. The members of a group are tested',
    'one after another. The exit status is 1 when a message was not accepted. It is sent with the settings of this command.',
  ].join('\n'),
  example: 'overdue channel test Ops --project Default',
  options: { project: { type: 'string' }, status: { type: 'string', default: 'down', choices: STATUSES } },
  async run(context) {
    const { openDeps, positionals, values, print } = context
    const status = STATUSES.find((known) => known === values.status)
    if (!status) throw new UserError(`unknown status "${values.status}"`, 'use down or up')
    const { deps, project } = await openProject({ openDeps, values })
    const channel = await getChannel(deps, project, positionals[0] ?? '')
    if (channel.kind === 'group') {
      const tests = await withNote(context, testMembers(deps, project, channel, status))
      print({ ...represent(channel), members: tests.map(representTest) }, membersInWords(tests))
      return tests.every(({ error }) => error === null) ? 0 : 1
    }
    const error = await withNote(context, testChannel(deps, project, channel, status))
    print(representTest({ channel, error }), [testInWords(error), ...adviceOn([error])])
    return error === null ? 0 : 1
  },
}

const represent = ({ id, name, kind }: Channel) => ({ id, name, kind })
const representTest = ({ channel, error }: MemberTest) => ({ ...represent(channel), error })

/** Most receivers answer before a person begins to wonder. */
const NOTE_AFTER_MS = 1_500

async function withNote<Result>({ note }: Pick<Context, 'note'>, test: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => note('waiting for the receiver to answer, 30 seconds at most…'), NOTE_AFTER_MS)
  return test.finally(() => clearTimeout(timer))
}

function testInWords(error: string | null): string {
  return error === null ? 'accepted by the receiver' : `failed: ${oneLine(error)}`
}

function membersInWords(tests: readonly MemberTest[]): Shown {
  const rows = tests.map(({ channel: { id, kind, name }, error }) => [id, kind, name, testInWords(error)])
  const accepted = tests.filter(({ error }) => error === null).length
  return [{ rows }, `${accepted} of ${tests.length} accepted the message`, ...adviceOn(tests.map(({ error }) => error))]
}
