/** Parameters in the URL of an advice page, such as `?state=later`. */
import { addressState, oneOfOr } from '../../../../lib/text/address-state.ts'

const ADVICE_STATES = ['open', 'later', 'done'] as const
export type AdviceListState = (typeof ADVICE_STATES)[number]

export const { read: readQuery, search: searchOf } = addressState<{ readonly state: AdviceListState }>({
  state: oneOfOr('state', ADVICE_STATES, 'open'),
})
