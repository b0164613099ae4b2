/** Common parts of the transports for ntfy and Gotify: a server URL, a priority for each status, and a message in Markdown. */

import { type Digest, type DigestCheck, digestMark } from '../../domain/alert/digest.ts'
import type { Notification } from '../../domain/alert/notification.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { Text, type TextOptions } from '../../domain/schema.ts'
import { oneLine } from '../../lib/text/text.ts'
import { escapeAroundUrls, escapeMarkdown, markdownLink } from './message-text.ts'
import { facts } from './plain-words.ts'

/** Creates the schema for a URL without a query or fragment, because paths are appended to the URL. */
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

/** A secret for a header or a query. It may contain only characters that are allowed in a header value. */
export const TokenText = {
  maxLength: 1000,
  pattern: '^[\\x21-\\x7e]+$',
  means: 'a token, which contains letters, digits and punctuation, but no spaces',
  isSecret: true,
} as const

interface Priorities {
  readonly priority?: number
  readonly priority_up?: number
}

export function priorityAt({ priority, priority_up }: Priorities, { newStatus }: Pick<Flip, 'newStatus'>) {
  return newStatus === 'down' ? priority : priority_up
}

/** Returns false for priority 0, which means that no message is sent. */
export function wantsByPriority(settings: Priorities, flip: Pick<Flip, 'newStatus'>): boolean {
  return priorityAt(settings, flip) !== 0
}

/** Maximum length of a fact in UTF-16 units, so that one fact can't crowd out the others. */
const FACT_LIMIT = 500

/**
 * Returns the message below a title, with one paragraph or list item per line. Values are never at the start of a line, so block markup in
 * them has no effect.
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

/** Markup of a digest. A line ends with a backslash, so that the next one starts on a new line. */
export const MARKDOWN_DIGEST = {
  write: ({ name, status, story, link, isDown }: DigestCheck): readonly string[] => {
    const linked = link === null ? `**${inline(name)}**` : markdownLink(inline(name), link)
    const lines = story.map((line) => escapeAroundUrls(line, FACT_LIMIT, escapeMarkdown))
    return [`${digestMark({ isDown })} ${linked} is ${status}.`, ...lines]
  },
  writeLink: markdownLink,
  lineBreak: '\\\n',
} as const

/** Returns a digest's priority. If recoveries have no priority, a digest of recoveries gets the priority of problems. */
export function digestPriority<Given extends Priorities>(settings: Given, { isDown }: Digest) {
  return priorityAt(settings, { newStatus: isDown ? 'down' : 'up' }) || settings.priority
}
