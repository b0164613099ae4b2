/** Wraps carriers so that messages and answers are recorded while a channel is tested. */

import { type AnswerWords, answerWords } from '../../domain/carrier/answer-words.ts'
import type { CarrierName, Carriers, Exchanges } from '../../domain/carrier/carriers.ts'
import { maskerOf } from '../../domain/carrier/mask-secrets.ts'
import { type MessageWords, messageWords } from '../../domain/carrier/message-words.ts'
import type { Deps } from '../common/deps.ts'
import type { Prepared } from './prepare.ts'

/** A message that was sent, and how the receiver answered. */
export interface Exchange {
  readonly sent: MessageWords
  /** null if the receiver did not answer */
  readonly answer: AnswerWords | null
  /** in microseconds */
  readonly duration: number
}

interface Recorder {
  readonly carriers: Carriers
  /** exchanges, in the order in which the messages were sent */
  readonly exchanges: readonly Exchange[]
}

/** Maximum length of an answer's body, in UTF-16 code units. */
const BODY_LIMIT = 2_000

/** @param prepared the prepared alert; its secrets are removed from all exchanges */
export function recordCarriers(
  { carriers, stopwatch }: Pick<Deps, 'carriers' | 'stopwatch'>,
  { secrets, mask }: Pick<Prepared, 'secrets' | 'mask'>,
): Recorder {
  const exchanges: Exchange[] = []
  const recorded =
    <Name extends CarrierName>(name: Name) =>
    async (message: Exchanges[Name]['message']): Promise<Exchanges[Name]['answer']> => {
      const link = unsubscribing(message)
      const own = [...secrets, ...link]
      const maskOwn = link.length === 0 ? mask : maskerOf(own)
      const sent = await messageWords(name, copyOf(message), own, maskOwn)
      const begun = stopwatch()
      const answer = await carriers[name](message)
      const duration = Math.round((stopwatch() - begun) * 1_000_000)
      exchanges.push({ sent, answer: answerWords(name, answer, maskOwn, BODY_LIMIT), duration })
      return answer
    }
  return {
    exchanges,
    carriers: {
      http: recorded('http'),
      mail: recorded('mail'),
      shell: recorded('shell'),
      signal: recorded('signal'),
    },
  }
}

/** Copies a request, because its body can only be read once. */
function copyOf<Message>(message: Message): Message {
  return message instanceof Request ? (message.clone() as Message) : message
}

/** Returns the unsubscribe URL. Anyone who has the URL can turn the channel off. */
function unsubscribing(message: Exchanges[CarrierName]['message']): readonly string[] {
  return 'unsubscribeUrl' in message && message.unsubscribeUrl !== null ? [message.unsubscribeUrl] : []
}
