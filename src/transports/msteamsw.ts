/** `msteamsw`: webhooks of Microsoft Teams Workflows, with an adaptive card (behaviour of the peer, 5.5). */
import type { Static } from '../domain/schema.ts'
import { escapeMarkup, oneLine, printable, within } from '../domain/text.ts'
import { factsOf, reasonOrDowntime } from './facts.ts'
import { jsonRequest } from './json-request.ts'
import { escapeAroundUrls, JOINER } from './message-text.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl(
  'The address that Teams shows for a workflow that posts to a channel when a webhook is called.',
)
type Settings = Static<typeof Settings>

export const msteamsw = defineTransport({
  kind: 'msteamsw',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

/** Of one text, so that the card stays below the 28 kB that a message may have. */
const TEXT_LIMIT = 3000

/** Cards read Markdown, and entities in it. Teams on phones shows a backslash before a mark; a joiner is seen nowhere. */
function escapeText(text: string): string {
  return escapeMarkup(text.replaceAll('\\', `\\${JOINER}`).replace(/[*_~`[\]]/g, `${JOINER}$&`))
}

/** What makes a list or a heading of a line that begins with it. */
const BLOCK_MARK = /^(?=[ \t]*(?:[-+#=]|\d+[.)]))/gm

function escaped(text: string): string {
  return escapeAroundUrls(text.replace(BLOCK_MARK, JOINER), TEXT_LIMIT, escapeText)
}

function render({ message, siteName }: Alert, settings: Settings): Request {
  const headline = (name: string) => `“${name}” is ${message.status}.`
  const why = reasonOrDowntime(message)
  const facts = factsOf(message).map(({ label, value }) => {
    return { title: `${label}:`, value: escaped(oneLine(value)), short: true }
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    // Shown as it is where a card cannot be shown.
    fallbackText: headline(within(oneLine(message.name), TEXT_LIMIT)),
    msteams: { width: 'Full' },
    body: [
      {
        ...textBlock(`${message.isDown ? '🔴' : '🟢'} ${headline(escaped(oneLine(message.name)))}`),
        size: 'medium',
        weight: 'bolder',
        style: 'heading',
      },
      ...(why ? [textBlock(`${why.label}: ${escaped(why.value)}.`)] : []),
      ...(message.description ? [textBlock(escaped(printable(message.description)))] : []),
      { type: 'FactSet', facts },
      ...(message.body ? bodyBlocks(message.body) : []),
    ],
    ...(message.link === null
      ? {}
      : { actions: [{ type: 'Action.OpenUrl', title: `View in ${siteName}`, url: message.link }] }),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return jsonRequest(settings, { type: 'message', attachments: [attachment] })
}

function textBlock(text: string) {
  return { type: 'TextBlock', text, wrap: true }
}

/** Code is shown as it is. */
function bodyBlocks(body: string) {
  return [
    { ...textBlock('Last Ping Body:'), weight: 'bolder' },
    { type: 'CodeBlock', codeSnippet: printable(body), language: 'PlainText' },
  ]
}
