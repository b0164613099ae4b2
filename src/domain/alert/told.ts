/** A sentence that lists the channels that were alerted about a flip, and those that were not. */
import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { Sentence, SentencePart } from '../words/sentence-parts.ts'
import { type DeliveryEntry, isCancelled, quietEnd } from './delivery.ts'

/** Maximum number of channels to name. For the others, the sentence states only how many there are. */
const NAMED = 5
/** Maximum time between two alerts that are listed with a single time, in microseconds. */
const MINUTE = 60_000_000

/**
 * Returns text such as `Alerted: On-call phone, Team inbox 04:30. Slack has not been reached since 04:30, next try at 09:50: ‘Received
 * status code 500’.`
 * @param told the alerts about the flip; null: the check has not had a flip yet
 * @param isAssigned true: the check currently has channels
 * @param nameOf returns a channel's name, or its kind if it has no name
 */
export function toldSentence(
  told: readonly DeliveryEntry[] | null,
  isAssigned: boolean,
  nameOf: (entry: DeliveryEntry) => string,
): Sentence {
  if (told === null) {
    return [isAssigned ? 'No one alerted yet.' : 'This check alerts no one: it has no integration.']
  }
  if (told.length === 0) {
    return [
      isAssigned
        ? 'No one was alerted: no integration accepted the alert.'
        : 'No one was alerted: the check has no integration.',
    ]
  }
  const sent = told.filter(({ delivery }) => delivery.state === 'sent')
  const others = told.filter(({ delivery }) => delivery.state !== 'sent')
  const sentences = [sentWords(sent, nameOf), ...others.slice(0, NAMED).map((entry) => otherWords(entry, nameOf))]
  if (others.length > NAMED) sentences.push([`${others.length - NAMED} more were not alerted.`])
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]))
}

function sentWords(sent: readonly DeliveryEntry[], nameOf: (entry: DeliveryEntry) => string): Sentence {
  if (sent.length === 0) return []
  const named = sent.slice(0, NAMED)
  const parts = named.flatMap((entry, index): SentencePart[] => {
    const next = named[index + 1]
    const isTogether = next !== undefined && isNear(entry.endedAt, next.endedAt)
    const time: SentencePart[] = entry.endedAt === null || isTogether ? [] : [' ', { clock: entry.endedAt }]
    return [...(index === 0 ? [] : [', ']), { name: nameOf(entry) }, ...time]
  })
  const rest = sent.length - named.length
  return ['Alerted: ', ...parts, rest > 0 ? ` and ${rest} more.` : '.']
}

function isNear(a: Instant | null, b: Instant | null): boolean {
  return a !== null && b !== null && Math.abs(microsecondsBetween(a, b)) < MINUTE
}

function otherWords(entry: DeliveryEntry, nameOf: (entry: DeliveryEntry) => string): Sentence {
  const name = { name: nameOf(entry) }
  const why: Sentence = entry.error === null ? ['.'] : [': ', { quote: entry.error }, '.']
  return [name, ' ', ...toldProgress(entry), ...why]
}

/**
 * Describes an alert that was not sent, without its error. The words follow the channel's name, such as `has not been reached since 04:30,
 * next try at 09:50` or `has quiet hours until 07:00`.
 */
export function toldProgress(entry: Pick<DeliveryEntry, 'delivery' | 'error' | 'endedAt' | 'nextAttemptAt'>): Sentence {
  const { delivery, error, endedAt, nextAttemptAt } = entry
  if (delivery.state === 'failed') {
    if (endedAt === null || isCancelled(error)) return ['was not alerted']
    return ['was not alerted, last tried ', { clock: endedAt }]
  }
  const quiet = quietEnd(entry)
  const wait: Sentence = quiet === null ? [] : ['has quiet hours until ', { clock: quiet }]
  if (error !== null) {
    const next: Sentence = quiet ? [' and ', ...wait] : nextAttemptAt ? [', next try ', { at: nextAttemptAt }] : []
    return ['has not been reached since ', { clock: delivery.createdAt }, ...next]
  }
  if (quiet !== null) return wait
  return [nextAttemptAt === null ? 'must get an earlier alert first' : 'is being alerted']
}
