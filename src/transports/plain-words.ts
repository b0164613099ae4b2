/** The words of a message in the forms that incident trackers and push services ask for; nothing here is escaped. */
import type { Fact, Notification } from '../domain/notification.ts'
import { oneLine } from '../domain/text.ts'
import { factsOf } from './facts.ts'

/** `Nightly backup is DOWN`, for titles. */
export function headline({ name, status }: Notification): string {
  return `${oneLine(name)} is ${status}`
}

/** What is known about the why or the how long; '' when nothing is. */
export function circumstance({ reason, downtime }: Notification): string {
  if (reason !== null) return ` (${reason})`
  return downtime === null ? '' : ` (downtime: ${downtime})`
}

/** `The check "Nightly backup" is DOWN (received a failure signal).` */
export function sentence(message: Notification): string {
  return `The check "${oneLine(message.name)}" is ${message.status}${circumstance(message)}.`
}

/** What is worth knowing besides, in the order in which it is shown, each on one line; what is empty is left out. */
export function facts(message: Notification): Fact[] {
  const description = { label: 'Description', value: message.description }
  return factsOf(message)
    .toSpliced(message.project ? 1 : 0, 0, description)
    .map(({ label, value }) => ({ label, value: oneLine(value) }))
    .filter(({ value }) => value !== '')
}

const ELLIPSIS = '\n…'

/** The lines for which there is room, each whole, so that no markup is cut in two; an ellipsis tells of the others. */
export function linesWithin(lines: readonly string[], limit: number, sizeOf: (text: string) => number): string {
  const whole = lines.join('\n')
  if (sizeOf(whole) <= limit) return whole
  const kept: string[] = []
  for (const line of lines) {
    if (sizeOf([...kept, line].join('\n') + ELLIPSIS) <= limit) kept.push(line)
  }
  return kept.join('\n') + ELLIPSIS
}
