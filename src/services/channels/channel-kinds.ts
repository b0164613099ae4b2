/** The kinds of channels, and the settings that the server lacks to send to them. */

import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { registry } from '../../transports/index.ts'
import { missingSettings, OPERATOR_SETTINGS, switchedOff } from '../../transports/operator.ts'
import type { Transport } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'

type KindWords = Pick<Transport, 'kind' | 'name' | 'mark' | 'about'>

/** The group has no transport: each of its members has one. */
const GROUP: KindWords = { kind: 'group', name: 'Group', mark: 'GR', about: 'several at once' }

const KINDS: ReadonlyMap<ChannelKind, KindWords> = new Map(
  [...registry.values(), GROUP].map((words) => [words.kind, words]),
)

/** Every kind, in alphabetical order. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [...KINDS.keys()].toSorted()

export function isChannelKind(text: string): boolean {
  return KINDS.has(text)
}

/** Returns the words for a kind. A kind that only a newer version knows has its name as the word. */
export function kindWords(kind: ChannelKind): KindWords {
  return KINDS.get(kind) ?? { kind, name: kind, mark: '?', about: '' }
}

export interface OfferedKind extends KindWords {
  /** true: the operator has switched the kind off */
  readonly isOff: boolean
  /** settings that the server needs before it can send to channels of this kind, each with an example value; empty if it can */
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

/** Returns a setting with an example value: `EMAIL_HOST=mail.example.org`. @param setting a name, or already with its value */
export function assignment(setting: string): string {
  const example = EXAMPLES.get(setting)
  return example === undefined ? setting : `${setting}=${example}`
}
