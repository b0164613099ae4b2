/** Implements `overdue channel test`. */

import type { Channel } from '../../domain/channel/channel.ts'
import { Refusal } from '../../domain/errors.ts'
import { oneLine } from '../../lib/text/text.ts'
import { type MemberTest, testChannel, testMembers } from '../../services/channels/channel-test.ts'
import { getChannel } from '../../services/channels/channels.ts'
import { adviceOnTest } from '../advice.ts'
import { TEST_STATUSES } from '../choices.ts'
import type { Context, ExitStatus } from '../command.ts'
import { hintOf } from '../hints.ts'
import { openProject } from '../project/open-project.ts'
import type { Shown } from '../terminal/screen.ts'

export async function test(context: Context): Promise<ExitStatus> {
  const { openDeps, argument, values, print } = context
  const status = TEST_STATUSES.find((known) => known === values.status)
  if (!status) throw new Refusal('unknown-choice', `unknown status "${values.status}"`, { choices: TEST_STATUSES })
  const { deps, actor } = await openProject({ openDeps, values })
  const channel = await getChannel(deps, actor, argument)
  if (channel.kind === 'group') {
    const tests = (await withNote(context, testMembers(deps, actor, channel, status))).map(withWords)
    print({ ...represent(channel), members: tests.map(representTest) }, membersInWords(tests))
    return tests.every(({ error }) => error === null) ? 0 : 1
  }
  const error = await withNote(context, testChannel(deps, actor, channel, status))
  print(representTest({ channel, error }), [testInWords(error), ...adviceOnTest([error])])
  return error === null ? 0 : 1
}

interface Tested {
  readonly channel: Channel
  readonly error: string | null
}

const represent = ({ id, name, kind }: Channel) => ({ id, name, kind })
const representTest = ({ channel, error }: Tested) => ({ ...represent(channel), error })

const NOTE_AFTER_MS = 1_500

async function withNote<Result>({ note }: Pick<Context, 'note'>, test: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => note('waiting for the receiver, at most 30 seconds…'), NOTE_AFTER_MS)
  return test.finally(() => clearTimeout(timer))
}

function testInWords(error: string | null): string {
  return error === null ? 'accepted by the receiver' : `failed: ${oneLine(error)}`
}

function withWords({ channel, error }: MemberTest): Tested {
  if (!(error instanceof Refusal)) return { channel, error }
  const hint = hintOf(error)
  return { channel, error: hint === null ? error.message : `${error.message} (${hint})` }
}

function membersInWords(tests: readonly Tested[]): Shown {
  const rows = tests.map(({ channel: { id, kind, name }, error }) => [id, kind, name, testInWords(error)])
  const accepted = tests.filter(({ error }) => error === null).length
  return [
    { rows },
    `${accepted} of ${tests.length} accepted the message`,
    ...adviceOnTest(tests.map(({ error }) => error)),
  ]
}
