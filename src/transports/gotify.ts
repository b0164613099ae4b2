/** `gotify`: a push message through the message API of the user's own Gotify server. */
import type { Notification } from '../domain/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { printable } from '../domain/text.ts'
import { jsonRequest } from './json-request.ts'
import { headline } from './plain-words.ts'
import { markdownLines, priorityAt, ServerUrl, TOKEN_PATTERN, wantsByPriority } from './push-server.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Priority = (title: string) =>
  Type.Optional(
    Type.Union([Type.Literal(0), Type.Literal(2), Type.Literal(5), Type.Literal(9)], {
      title,
      description: '2, 5 or 9; 0: nothing is sent. Left out: the default of the Gotify application.',
    }),
  )

const Settings = Type.Object({
  url: ServerUrl('https://gotify.example.org'),
  token: Text({
    title: 'Application token',
    description: 'Gotify shows it in its list of applications.',
    maxLength: 1000,
    pattern: TOKEN_PATTERN,
  }),
  priority: Priority('Priority when a check goes down'),
  priority_up: Priority('Priority when a check comes up'),
})
type Settings = Static<typeof Settings>

export const gotify = defineTransport({
  kind: 'gotify',
  carrier: 'http',
  settings: Settings,
  wants: wantsByPriority,
  render,
  judge: judgeByStatus,
})

function render({ message, flip }: Alert, settings: Settings): Request {
  const url = `${settings.url.replace(/\/+$/, '')}/message?token=${encodeURIComponent(settings.token)}`
  const priority = priorityAt(settings, flip)
  return jsonRequest(url, {
    title: headline(message),
    message: [...markdownLines(message), ...bodyLines(message)].join('\n'),
    ...(priority === undefined ? {} : { priority }),
    extras: {
      'client::display': { contentType: 'text/markdown' },
      ...(message.link === null ? {} : { 'client::notification': { click: { url: message.link } } }),
    },
  })
}

/** In a fence longer than any run of backticks within, so that the body cannot end it. */
function bodyLines({ body }: Notification): string[] {
  const text = printable(body ?? '')
  if (text === '') return []
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return ['', '**Last Ping Body:**', '', fence, text, fence]
}
