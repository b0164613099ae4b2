/** The kinds of channels, and what the server lacks to send to them. */
import { missingSettings, switchedOff } from '../config/operator.ts'
import { CHANNEL_KINDS, type ChannelKind } from '../domain/alert/channel-kind.ts'
import type { Deps } from './deps.ts'

export interface OfferedKind {
  readonly kind: ChannelKind
  /** true: the operator has switched the kind off */
  readonly isOff: boolean
  /** what to set before the server can send to channels of this kind, perhaps with the value; empty when it can */
  readonly lacks: readonly string[]
}

export function listKinds({ operator }: Pick<Deps, 'operator'>): readonly OfferedKind[] {
  return CHANNEL_KINDS.map((kind) => {
    const off = switchedOff(kind, operator)
    if (off !== null) return { kind, isOff: true, lacks: [`${off}=True`] }
    const lacks = missingSettings(kind, operator).map((name) => (name === 'SHELL_ENABLED' ? `${name}=True` : name))
    return { kind, isOff: false, lacks }
  })
}
