/** The kinds of channels, and the server settings that are missing for each kind. */

import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { registry } from '../../transports/index.ts'
import { missingSettings, OPERATOR_SETTINGS, switchedOff } from '../../transports/operator.ts'
import type { Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'

type KindWords = Pick<Transport, 'kind' | 'name' | 'mark' | 'about'>

/** A group has no transport of its own, because each member has one. */
const GROUP: KindWords = { kind: 'group', name: 'Group', mark: 'GR', about: 'several at once' }

const KINDS: ReadonlyMap<ChannelKind, KindWords> = new Map(
  [...registry.values(), GROUP].map((words) => [words.kind, words]),
)

/** All kinds of channels, in alphabetical order. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [...KINDS.keys()].toSorted()

export function isChannelKind(text: string): boolean {
  return KINDS.has(text)
}

/** Returns a kind's display texts. For a kind that only a newer version supports, the identifier is displayed. */
export function kindWords(kind: ChannelKind): KindWords {
  return KINDS.get(kind) ?? { kind, name: kind, mark: '?', about: '' }
}

export interface OfferedKind extends KindWords {
  /** true if the operator has turned this kind off */
  readonly isOff: boolean
  /** settings that are missing for sending to channels of this kind, each with an example value; empty if nothing is missing */
  readonly lacks: readonly string[]
}

export function listKinds({ operator }: Pick<Deps, 'operator'>): readonly OfferedKind[] {
  return CHANNEL_KINDS.map((kind) => {
    const off = switchedOff(kind, operator)
    const lacks = off === null ? missingSettings(kind, operator).map(assignment) : [`${off}=True`]
    return { ...kindWords(kind), isOff: off !== null, lacks }
  })
}

const EXAMPLES = new Map(OPERATOR_SETTINGS.map(({ name, example }) => [name, example]))

/** Returns a setting with an example value, such as `EMAIL_HOST=mail.example.org`. @param setting a name, or a name with a value */
export function assignment(setting: string): string {
  const example = EXAMPLES.get(setting)
  return example === undefined ? setting : `${setting}=${example}`
}
