/** The common parts of ntfy and Gotify: a server URL, a priority for each status, and a message in Markdown. */

import { type Digest, type DigestCheck, digestMark } from '../../domain/alert/digest.ts'
import type { Notification } from '../../domain/alert/notification.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { Text, type TextOptions } from '../../domain/schema.ts'
import { oneLine } from '../../lib/text/text.ts'
import { escapeAroundUrls, escapeMarkdown, markdownLink } from './message-text.ts'
import { facts } from './plain-words.ts'

/** Schema of a URL without query or fragment, because paths are appended to it. */
export function ServerUrl(example: string, options: Pick<TextOptions, 'default'> = {}) {
  return Text({
    title: 'Server URL',
    description: `The URL of the server, for example ${example}`,
    maxLength: 1000,
    pattern: '^https?://[^\\s/?#][^\\s?#]*$',
    means: `a URL such as ${example}`,
    isAddress: true,
    ...options,
  })
}

/** A secret for a header or a query: only characters that a header value allows. */
export const TokenText = {
  maxLength: 1000,
  pattern: '^[\\x21-\\x7e]+$',
  means: 'a token: it has letters, digits and marks, and no spaces',
  isSecret: true,
} as const

interface Priorities {
  readonly priority?: number
  readonly priority_up?: number
}

export function priorityAt({ priority, priority_up }: Priorities, { newStatus }: Pick<Flip, 'newStatus'>) {
  return newStatus === 'down' ? priority : priority_up
}

/** Returns false for priority 0, which means no message. */
export function wantsByPriority(settings: Priorities, flip: Pick<Flip, 'newStatus'>): boolean {
  return priorityAt(settings, flip) !== 0
}

/** Limit that keeps a fact from crowding out the others. */
const FACT_LIMIT = 500

/**
 * Returns a message for the place under a title, with one paragraph or list item per line. Values never start a line, so block
 * markers in them have no effect.
 */
export function markdownLines(message: Notification): string[] {
  const { sentence, others, othersDown } = message
  const escaped = (text: string) => escapeAroundUrls(oneLine(text), FACT_LIMIT, escapeMarkdown)
  const item = (label: string, value: string) => `- **${inline(label)}:** ${escaped(value)}`
  return [
    escaped(sentence),
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

/** The markup of a digest. A line ends with a backslash, so that the next one begins a line of its own. */
export const MARKDOWN_DIGEST = {
  write: ({ name, status, story, link, isDown }: DigestCheck): readonly string[] => {
    const linked = link === null ? `**${inline(name)}**` : markdownLink(inline(name), link)
    const lines = story.map((line) => escapeAroundUrls(line, FACT_LIMIT, escapeMarkdown))
    return [`${digestMark({ isDown })} ${linked} is ${status}.`, ...lines]
  },
  writeLink: markdownLink,
  lineBreak: '\\\n',
} as const

/** Returns the priority of a digest. Without a priority for recoveries, a digest of recoveries gets the priority of problems. */
export function digestPriority<Given extends Priorities>(settings: Given, { isDown }: Digest) {
  return priorityAt(settings, { newStatus: isDown ? 'down' : 'up' }) || settings.priority
}
