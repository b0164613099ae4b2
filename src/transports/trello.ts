/** `trello`: a card in a list of the user's own for each check that goes down. */
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine } from '../domain/text.ts'
import { describeIssue } from './issue.ts'
import { type Alert, defineTransport, judgeByStatus, operatorSetting } from './transport.ts'

const Settings = Type.Object({
  token: Text({
    title: 'Token',
    description: 'With which the user has let this server into the account.',
    pattern: '.',
    maxLength: 200,
  }),
  list_id: Text({ title: 'List', description: 'Where cards are made.', pattern: '^[0-9A-Za-z]+$', maxLength: 64 }),
  board_name: Type.Optional(Text({ title: 'Name of the board', description: 'Only shown.' })),
  list_name: Type.Optional(Text({ title: 'Name of the list', description: 'Only shown.' })),
})

export const trello = defineTransport({
  kind: 'trello',
  carrier: 'http',
  settings: Settings,
  wants: (_, { newStatus }) => newStatus === 'down',
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
