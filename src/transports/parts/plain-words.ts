/** A message's text in the forms that incident trackers and push services need; nothing is escaped here. */
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { oneLine } from '../../lib/text.ts'
import { factsOf } from './facts.ts'

/** `Nightly backup is DOWN`, for titles. */
export function headline({ name, status }: Notification): string {
  return `${oneLine(name)} is ${status}`
}

/** The reason or the downtime; '' when neither is known. */
export function circumstance({ reason, downtime }: Notification): string {
  if (reason !== null) return ` (${reason})`
  return downtime === null ? '' : ` (downtime: ${downtime})`
}

/** `The check "Nightly backup" is DOWN (received a failure signal).` */
export function sentence(message: Notification): string {
  return `The check "${oneLine(message.name)}" is ${message.status}${circumstance(message)}.`
}

/** Further facts in display order, each on one line, without empty ones. */
export function facts(message: Notification): Fact[] {
  const description = { label: 'Description', value: message.description }
  return factsOf(message)
    .toSpliced(message.project ? 1 : 0, 0, description)
    .map(({ label, value }) => ({ label, value: oneLine(value) }))
    .filter(({ value }) => value !== '')
}

const ELLIPSIS = '\n…'

/** The lines that fit, each whole so that no markup is cut; an ellipsis stands for the others. */
export function linesWithin(lines: readonly string[], limit: number, sizeOf: (text: string) => number): string {
  const whole = lines.join('\n')
  if (sizeOf(whole) <= limit) return whole
  const kept: string[] = []
  for (const line of lines) {
    if (sizeOf([...kept, line].join('\n') + ELLIPSIS) <= limit) kept.push(line)
  }
  return kept.join('\n') + ELLIPSIS
}
