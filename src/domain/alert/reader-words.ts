/** Text about a failed alert, for users with read-only access. */
import type { AnswerWords } from '../carrier/answer-words.ts'
import type { ChannelState } from '../channel/channel-state.ts'
import { isCancelled } from './delivery.ts'

/**
 * Reduces an error to its status, because receivers may quote parts of the message and settings, such as addresses, that these users may
 * not see.
 */
export function errorForReader(error: string): string {
  if (isCancelled(error)) return error
  return /^Received status code \d{3}/.exec(error)?.[0] ?? 'It was not accepted'
}

export function answerForReader({ status }: AnswerWords): AnswerWords {
  return { status: /^\d{3}/.exec(status)?.[0] ?? '', headers: [], body: '' }
}

export function stateForReader(state: ChannelState): ChannelState {
  switch (state.kind) {
    case 'retrying':
    case 'unconfirmed':
      return { ...state, error: state.error && errorForReader(state.error) }
    case 'failing':
      return { ...state, error: errorForReader(state.error) }
    case 'disabled':
      return { ...state, reason: errorForReader(state.reason) }
    case 'unusable':
    case 'unsubscribed':
    case 'partly':
    case 'ready':
      return state
  }
}
