/** What ntfy and Gotify share: a server of the user's choice, a priority for each status, and a message in Markdown. */
import type { Flip } from '../domain/flip.ts'
import type { Notification } from '../domain/notification.ts'
import { Text } from '../domain/schema.ts'
import { oneLine } from '../domain/text.ts'
import { escapeAroundUrls, escapeMarkdown } from './message-text.ts'
import { circumstance, facts } from './plain-words.ts'

/** Without query and fragment, because paths are appended to it. */
export function ServerUrl(example: string) {
  return Text({
    title: 'Server URL',
    description: `The address of the server, for example ${example}`,
    maxLength: 1000,
    pattern: '^https?://[^\\s/?#][^\\s?#]*$',
  })
}

/** A secret that goes into a header or a query; only what a header value may hold. */
export const TOKEN_PATTERN = '^[\\x21-\\x7e]+$'

interface Priorities {
  readonly priority?: number
  readonly priority_up?: number
}

export function priorityAt({ priority, priority_up }: Priorities, { newStatus }: Pick<Flip, 'newStatus'>) {
  return newStatus === 'down' ? priority : priority_up
}

/** Priority 0 is how these kinds say "nothing, please". */
export function wantsByPriority(settings: Priorities, flip: Pick<Flip, 'newStatus'>): boolean {
  return priorityAt(settings, flip) !== 0
}

/** No one fact may push the others out of the message. */
const FACT_LIMIT = 500

/** One paragraph or list item each. Values never begin a line, so block markers in them mean nothing. */
export function markdownLines(message: Notification): string[] {
  const { name, status, others, othersDown } = message
  const item = (label: string, value: string) =>
    `- **${inline(label)}:** ${escapeAroundUrls(oneLine(value), FACT_LIMIT, escapeMarkdown)}`
  return [
    `**${inline(name)}** is **${status}**${circumstance(message)}.`,
    '',
    ...facts(message).map(({ label, value }) => item(label, value)),
    ...(others === null ? [] : ['', others]),
    ...(othersDown.length === 0 ? [] : ['']),
    ...othersDown.map(({ label, value }) => item(label, value)),
  ]
}

function inline(text: string): string {
  return escapeMarkdown(oneLine(text))
}
