/** `trello`: a new card in a list for each check that goes down. */
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine } from '../lib/text/text.ts'
import { describeIssue } from './parts/issue.ts'
import { wantsOnlyDown } from './parts/status-flags.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, defineTransport, judgeByStatus, operatorSetting } from './transport.ts'

const Settings = Type.Object({
  token: Text({
    title: 'Token',
    description: 'Gives this server access to your Trello account.',
    pattern: '.',
    means: 'a token',
    maxLength: 200,
    isSecret: true,
  }),
  list_id: Text({
    title: 'List',
    description: 'The list for new cards.',
    pattern: '^[0-9A-Za-z]+$',
    means: 'letters and digits',
    maxLength: 64,
  }),
  board_name: Type.Optional(Text({ title: 'Name of the board', description: 'Informational.', isUnasked: true })),
  list_name: Type.Optional(Text({ title: 'Name of the list', description: 'Informational.', isUnasked: true })),
})

export const trello = defineTransport({
  kind: 'trello',
  name: 'Trello',
  mark: 'TR',
  about: 'a card',
  carrier: 'http',
  settings: Settings,
  reads: [{ name: 'TRELLO_APP_KEY', example: '0a1b…' }],
  sample: sampleOf({ token: sampleSecret('trello'), list_id: 'abc123' }, { token: '', list_id: 'no list' }),
  wants: wantsOnlyDown,
  render,
  judge: judgeByStatus,
})

function render(alert: Alert, { token, list_id }: Static<typeof Settings>): Request {
  const query = new URLSearchParams({
    idList: list_id,
    name: oneLine(`Down: ${alert.message.name}`),
    desc: describeIssue(alert.message),
    key: operatorSetting(alert, 'TRELLO_APP_KEY'),
    token,
  })
  return new Request(`https://api.trello.com/1/cards?${query}`, { method: 'POST', redirect: 'manual' })
}
