/** A planned ping as the server receives it: as a signal for the history, and as a request or an email afterwards. */
import type { Signal } from '../../src/domain/ping/signal.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { readMessageText } from '../../src/services/pings/message-text.ts'
import type { PlannedPing } from './plan.ts'

const encoder = new TextEncoder()

export async function signalOf({ eventLoop }: Pick<Deps, 'eventLoop'>, ping: PlannedPing): Promise<Signal> {
  const { job, action, exitStatus, text } = ping
  const { sender, spec } = job
  const body = text === null ? null : encoder.encode(text)
  const common = { rid: null, remoteAddr: sender.address, body, contentType: null }
  if (sender.kind === 'http') {
    const method = text === null ? sender.method : 'POST'
    return {
      ...common,
      action,
      exitStatus,
      occurredAt: null,
      scheme: 'https',
      method,
      ua: sender.agent,
      searched: body,
      mail: null,
    }
  }
  const isSearched = spec.filter_subject === true && body !== null
  return {
    ...common,
    action: 'success',
    exitStatus: null,
    occurredAt: null,
    scheme: 'email',
    method: '',
    ua: `Email from ${sender.from}`,
    searched: null,
    mail: isSearched ? await readMessageText(body, eventLoop) : 'unread',
  }
}

/** Returns the part after the ping URL of the check. */
export function pathOf({ action, exitStatus }: PlannedPing): string {
  if (action === 'success') return ''
  return `/${exitStatus ?? action}`
}
