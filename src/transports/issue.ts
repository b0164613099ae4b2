/** A check that is down, described in Markdown for the places that keep a list of what is to be done. */
import type { Notification } from '../domain/notification.ts'
import { oneLine } from '../domain/text.ts'
import { escapeMarkdown } from './message-text.ts'

/** Why, where to look, and the facts, a line each; facts that are empty are left out. */
export function describeIssue(message: Notification): string {
  const facts = [
    { label: 'Project', value: message.project },
    { label: 'Tags', value: message.tags.join(' ') },
    ...message.timing,
    { label: 'Total Pings', value: String(message.totalPings) },
    { label: 'Last Ping', value: message.lastPing },
  ]
  return [
    ...(message.reason === null ? [] : [`Reason: ${message.reason}.`]),
    `[View details](${message.link})`,
    facts
      .filter(({ value }) => value !== '')
      .map(({ label, value }) => `- **${label}:** ${inLine(value)}`)
      .join('\n'),
  ].join('\n\n')
}

/** Plain text for the middle of a line of Markdown: no markup, and nobody called by name. */
function inLine(text: string): string {
  // Mentions and references are found after the markup is gone, so that a backslash does not stop them.
  return escapeMarkdown(oneLine(text)).replace(/[@#]/g, '$&\u200b')
}
