/** `overdue channel test` */
import { TEST_STATUSES } from '../choices.ts'
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./test-actions.ts')

export const channelTestCommand: Command = {
  words: 'channel test',
  takes: ['CHANNEL'],
  usage: '--project NAME_OR_ID [--status down|up]',
  summary: 'send a test message through a channel; re-enables a disabled channel if it is accepted',
  details: [
    'CHANNEL is a name or an id. The message is about a check named TEST, which does not exist. The members of a group are tested',
    'one by one. The exit status is 1 if a message was not accepted. The message is sent with the settings of this command, not',
    'with those of the server.',
  ].join('\n'),
  example: 'overdue channel test Ops --project Default',
  options: { ...PROJECT, status: { type: 'string', default: 'down', choices: TEST_STATUSES } },
  run: async (context) => (await actions()).test(context),
}
