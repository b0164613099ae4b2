/** A check that is down, described in Markdown for the places that keep a list of what is to be done. */
import type { Notification } from '../domain/notification.ts'
import { oneLine } from '../domain/text.ts'
import { escapeAroundUrls, escapeMarkdown } from './message-text.ts'

/** Trello takes a card in the query of a URL, which must not grow without end. */
const FACT_LIMIT = 1000

/** Why, where to look where there is a page, and the facts, a line each; facts that are empty are left out. */
export function describeIssue(message: Notification): string {
  const facts = [
    { label: 'Description', value: message.description },
    { label: 'Project', value: message.project },
    { label: 'Tags', value: message.tags.join(' ') },
    ...message.timing,
    { label: 'Total Pings', value: String(message.totalPings) },
    { label: 'Last Ping', value: message.lastPing },
  ]
  return [
    ...(message.reason === null ? [] : [`Reason: ${message.reason}.`]),
    ...(message.link === null ? [] : [`[View details](${message.link})`]),
    facts
      .filter(({ value }) => value !== '')
      .map(({ label, value }) => `- **${label}:** ${inLine(value)}`)
      .join('\n'),
  ].join('\n\n')
}

/** Plain text for the middle of a line of Markdown: no markup, and nobody called by name. */
function inLine(text: string): string {
  return escapeAroundUrls(oneLine(text), FACT_LIMIT, (part) => {
    // Mentions and references are found after the markup is gone, so that a backslash does not stop them.
    return escapeMarkdown(part).replace(/[@#]/g, '$&\u200b')
  })
}
