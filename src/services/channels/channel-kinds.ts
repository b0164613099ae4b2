/** The kinds of channels, and what the server lacks to send to them. */

import { CHANNEL_KINDS, type ChannelKind } from '../../domain/channel/channel-kind.ts'
import { EXAMPLES, missingSettings, switchedOff } from '../../domain/channel/operator.ts'
import type { Deps } from '../common/deps.ts'

export interface OfferedKind {
  readonly kind: ChannelKind
  /** true: the operator has switched the kind off */
  readonly isOff: boolean
  /** what to set before the server can send to channels of this kind, each with an example of a value; empty when it can */
  readonly lacks: readonly string[]
}

export function listKinds({ operator }: Pick<Deps, 'operator'>): readonly OfferedKind[] {
  return CHANNEL_KINDS.map((kind) => {
    const off = switchedOff(kind, operator)
    if (off !== null) return { kind, isOff: true, lacks: [`${off}=True`] }
    return { kind, isOff: false, lacks: missingSettings(kind, operator).map(assignment) }
  })
}

/** `EMAIL_HOST=mail.example.org`: a setting as it is given. @param setting a name, or already with its value */
export function assignment(setting: string): string {
  const example = EXAMPLES[setting]
  return example === undefined ? setting : `${setting}=${example}`
}
