/** Formats a message's text as incident trackers and push services need it. Escapes nothing. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { oneLine } from '../../lib/text/text.ts'
import { factsOf } from './facts.ts'

/** Returns a text for titles, such as `Nightly backup is DOWN`. */
export function headline({ name, status }: Notification): string {
  return `${oneLine(name)} is ${status}`
}

/** Label of the link to the incident. */
export const TAKE_OR_MUTE = 'I’m on it, or mute it'

/** Returns the text below a title: the sentence, and on a second line the link to the check's page if it has one. */
export function sentenceAndLink({ sentence, link }: Notification): string {
  return link === null ? sentence : `${sentence}\n${link}`
}

/** Lists further facts in display order, each on one line. Leaves out empty facts. */
export function facts(message: Notification): Fact[] {
  const description = { label: 'Description', value: message.description }
  return factsOf(message)
    .toSpliced(message.project ? 1 : 0, 0, description)
    .map(({ label, value }) => ({ label, value: oneLine(value) }))
    .filter(({ value }) => value !== '')
}

const ELLIPSIS = '\n…'

/** Returns the lines that fit. Lines are never truncated, so that markup is not cut. An ellipsis replaces the lines that don't fit. */
export function linesWithin(lines: readonly string[], limit: number, sizeOf: (text: string) => number): string {
  const whole = lines.join('\n')
  if (sizeOf(whole) <= limit) return whole
  const kept: string[] = []
  for (const line of lines) {
    if (sizeOf([...kept, line].join('\n') + ELLIPSIS) <= limit) kept.push(line)
  }
  return kept.join('\n') + ELLIPSIS
}
