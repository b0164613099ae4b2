/** `gotify`: a push message through the user's own Gotify server. */
import { digestOf, digestText } from '../domain/alert/digest.ts'
import type { Fact } from '../domain/alert/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { jsonRequest } from './parts/json-request.ts'
import { outputsOf } from './parts/outputs.ts'
import { headline } from './parts/plain-words.ts'
import {
  digestPriority,
  MARKDOWN_DIGEST,
  markdownLines,
  priorityAt,
  ServerUrl,
  TokenText,
  wantsByPriority,
} from './parts/push-server.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Alerts, defineTransport, judgeByStatus } from './transport.ts'

const Priority = (title: string) =>
  Type.Optional(
    Type.Union([Type.Literal(0, { title: 'Nothing is sent' }), Type.Literal(2), Type.Literal(5), Type.Literal(9)], {
      title,
      description: '2, 5 or 9; 0 sends nothing. Default: that of the Gotify application.',
    }),
  )

const Settings = Type.Object({
  url: ServerUrl('https://gotify.example.org'),
  token: Text({
    ...TokenText,
    title: 'Application token',
    description: 'Shown in the list of applications in Gotify.',
  }),
  priority: Priority('Priority when a check goes down'),
  priority_up: Priority('Priority when a check recovers'),
})
type Settings = Static<typeof Settings>

export const gotify = defineTransport({
  kind: 'gotify',
  name: 'Gotify',
  mark: 'GO',
  about: 'push, self-hosted',
  carrier: 'http',
  settings: Settings,
  sample: sampleOf(
    { url: 'https://gotify.example.org', token: sampleSecret('gotify'), priority: 5, priority_up: 5 },
    { url: 'gotify', token: '' },
  ),
  wants: wantsByPriority,
  render,
  digest,
  judge: judgeByStatus,
})

function render({ message, flip }: Alert, settings: Settings): Request {
  const priority = priorityAt(settings, flip)
  return jsonRequest(messageUrl(settings), {
    title: headline(message),
    message: [...markdownLines(message), ...outputsOf(message).flatMap(outputLines)].join('\n'),
    ...(priority === undefined ? {} : { priority }),
    extras: {
      'client::display': { contentType: 'text/markdown' },
      ...(message.link === null ? {} : { 'client::notification': { click: { url: message.link } } }),
    },
  })
}

const DIGEST_LIMIT = 10_000

function digest(alerts: Alerts, settings: Settings): Request {
  const digested = digestOf(alerts)
  const { headline: title, reason: intro } = digested
  const priority = digestPriority(settings, digested)
  return jsonRequest(messageUrl(settings), {
    title,
    message: digestText(digested, { intro, limit: DIGEST_LIMIT, ...MARKDOWN_DIGEST }),
    ...(priority === undefined ? {} : { priority }),
    extras: { 'client::display': { contentType: 'text/markdown' } },
  })
}

function messageUrl({ url, token }: Settings): string {
  return `${url.replace(/\/+$/, '')}/message?token=${encodeURIComponent(token)}`
}

/** The fence is longer than any run of backticks in the output, so that the output can't close it. */
function outputLines({ label, value }: Fact): string[] {
  const longest = Math.max(2, ...(value.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return ['', `**${label}:**`, '', fence, value, fence]
}
