/** `msteamsw`: an adaptive card through webhooks of Microsoft Teams Workflows. */

import { type DigestCheck, digestIntro, digestMark, digestOf, digestText } from '../domain/alert/digest.ts'
import type { Fact } from '../domain/alert/notification.ts'
import { escapeMarkup, oneLine, printable, within } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { escapeAroundUrls, JOINER, markdownLink } from './parts/message-text.ts'
import { outputsOf } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert, Alerts } from './transport.ts'

export const msteamsw = webhookKind({
  kind: 'msteamsw',
  name: 'Microsoft Teams',
  mark: 'MT',
  about: 'workflow',
  offSwitch: 'MSTEAMS_ENABLED',
  urlIs: 'The URL that Teams shows for a workflow that posts to a channel when a webhook request is received.',
  payload,
  digest,
})

/** Maximum length of each text, in UTF-16 units. It keeps the card below the 28 kB limit of a message. */
const TEXT_LIMIT = 3000

/**
 * Escapes text for cards, which parse Markdown with entities. Teams on phones shows a backslash before a markup character, while a joiner
 * is invisible everywhere.
 */
function escapeText(text: string): string {
  return escapeMarkup(text.replaceAll('\\', `\\${JOINER}`).replace(/[*_~`[\]]/g, `${JOINER}$&`))
}

/** Matches the characters that start a list or a heading in Markdown. */
const BLOCK_MARK = /^(?=[ \t]*(?:[-+#=]|\d+[.)]))/gm

function escaped(text: string): string {
  return escapeAroundUrls(text.replace(BLOCK_MARK, JOINER), TEXT_LIMIT, escapeText)
}

function payload({ message, siteName }: Alert): object {
  const headline = (name: string) => `“${name}” is ${message.status}.`
  const facts = factsOf(message).map(({ label, value }) => {
    return { title: `${label}:`, value: escaped(oneLine(value)), short: true }
  })
  const actions = [
    ...(message.incidentLink === null ? [] : [openUrl(TAKE_OR_MUTE, message.incidentLink)]),
    ...(message.link === null ? [] : [openUrl(`View in ${siteName}`, message.link)]),
  ]
  return card({
    // Clients that don't support cards show this text unchanged.
    fallbackText: headline(within(oneLine(message.name), TEXT_LIMIT)),
    body: [
      {
        ...textBlock(`${message.isDown ? '🔴' : '🟢'} ${headline(escaped(oneLine(message.name)))}`),
        size: 'medium',
        weight: 'bolder',
        style: 'heading',
      },
      textBlock(escaped(message.sentence)),
      ...(message.description ? [textBlock(escaped(printable(message.description)))] : []),
      { type: 'FactSet', facts },
      ...outputsOf(message).flatMap(outputBlocks),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  })
}

const DIGEST_LIMIT = 12_000

function digest(alerts: Alerts): object {
  const digested = digestOf(alerts)
  const write = (check: DigestCheck) => {
    const { name, status, story, link } = check
    const named = escaped(name)
    const linked = link === null ? named : markdownLink(named, link)
    return [`${digestMark(check)} ${linked} is ${status}.`, ...story.map(escaped)]
  }
  const text = digestText(digested, {
    intro: digestIntro(digested),
    limit: DIGEST_LIMIT,
    write,
    writeLink: markdownLink,
  })
  return card({
    fallbackText: digested.headline,
    body: text.split('\n').flatMap((line) => (line === '' ? [] : [textBlock(line)])),
  })
}

function card(content: {
  readonly fallbackText: string
  readonly body: readonly object[]
  readonly actions?: readonly object[]
}) {
  return attached({
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    msteams: { width: 'Full' },
    ...content,
  })
}

function attached(content: object): object {
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { type: 'message', attachments: [attachment] }
}

function openUrl(title: string, url: string) {
  return { type: 'Action.OpenUrl', title, url }
}

function textBlock(text: string) {
  return { type: 'TextBlock', text, wrap: true }
}

/** Teams shows code unchanged. */
function outputBlocks({ label, value }: Fact) {
  return [
    { ...textBlock(`${label}:`), weight: 'bolder' },
    { type: 'CodeBlock', codeSnippet: value, language: 'PlainText' },
  ]
}
