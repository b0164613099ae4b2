/** Sends a ping from a page, on behalf of a member. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { PingReceiver } from './pings.ts'

/** The browser that sends the ping, as recorded in the log. */
export interface PingingClient {
  readonly address: string | null
  /** `http` or `https` */
  readonly scheme: string
  readonly userAgent: string
}

/**
 * Pings the check as its job would: sends a success without a body, using POST.
 * @throws Refusal `not-found` if the check no longer exists; `unavailable`
 */
export async function sendPing(
  { pings }: { readonly pings: PingReceiver },
  actor: Actor,
  check: Check,
  client: PingingClient,
): Promise<void> {
  requireRight(actor, 'write', check)
  const outcome = await pings.receive(
    { kind: 'id', id: check.id },
    {
      action: 'success',
      exitStatus: null,
      occurredAt: null,
      rid: null,
      scheme: client.scheme,
      method: 'POST',
      ua: client.userAgent,
      remoteAddr: client.address,
      body: null,
      contentType: null,
      searched: null,
      mail: null,
    },
  )
  if (outcome !== 'ok') throw new Refusal('not-found', 'not found')
}
