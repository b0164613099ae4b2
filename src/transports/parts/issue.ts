/** Describes a check that is down in Markdown, for issue trackers and boards. */
import type { Notification } from '../../domain/alert/notification.ts'
import { oneLine } from '../../lib/text/text.ts'
import { escapeAroundUrls, escapeMarkdown } from './message-text.ts'

/** Trello receives a card in a URL's query, so the card's length must be limited. */
const FACT_LIMIT = 1000

/** Returns the sentence, a link if the check has a page, and the non-empty facts, one per line. */
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
    inLine(message.sentence),
    ...(message.link === null ? [] : [`[View details](${message.link})`]),
    facts
      .filter(({ value }) => value !== '')
      .map(({ label, value }) => `- **${label}:** ${inLine(value)}`)
      .join('\n'),
  ].join('\n\n')
}

/** Escapes text for use within a line of Markdown, without markup and mentions. */
function inLine(text: string): string {
  return escapeAroundUrls(oneLine(text), FACT_LIMIT, (part) => {
    // Mentions and references are parsed after the markup, so a backslash doesn't stop them.
    return escapeMarkdown(part).replace(/[@#]/g, '$&\u200b')
  })
}
