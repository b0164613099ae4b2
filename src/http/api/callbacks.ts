/**
 * `notifications/:id/status`: messaging services call this to report what happened to a message that they accepted earlier
 * (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). The endpoint needs no key, because the id in the path is
 * known only to the service that sent the message.
 */
import { Elysia } from 'elysia'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { type ReportedFailure, reportFailure } from '../../services/courier/late-failures.ts'
import { readBytes, requireFewFields, STRANGERS_BODY_LIMIT, STRANGERS_FIELDS_LIMIT } from '../body.ts'
import { requireMethod } from '../errors.ts'
import type { ApiDeps } from './door/door.ts'

const METHODS = ['POST']

export function callbacks(deps: ApiDeps) {
  return new Elysia().all(
    '/notifications/:id/status',
    async ({ request, params }) => {
      requireMethod(request, METHODS)
      const bytes = await readBytes(request, STRANGERS_BODY_LIMIT)
      requireFewFields(bytes, STRANGERS_FIELDS_LIMIT)
      const failure = failureIn(new URLSearchParams(new TextDecoder().decode(bytes)))
      if (failure && isUuid(params.id)) await reportFailure(deps, params.id, failure)
      return new Response('OK', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
    { parse: 'none', detail: { hide: true } },
  )
}

const FAILED_MESSAGES = ['failed', 'undelivered']

/** Returns the failure that a delivery report describes; null if the message did not fail. */
function failureIn(form: URLSearchParams): ReportedFailure | null {
  const error = form.get('error')
  if (error) return { error, disablesChannel: Boolean(form.get('mark_disabled')) }
  const message = form.get('MessageStatus') ?? ''
  if (FAILED_MESSAGES.includes(message)) return deliveryFailed(message)
  return form.get('CallStatus') === 'failed' ? deliveryFailed('failed') : null
}

function deliveryFailed(status: string): ReportedFailure {
  return { error: `Delivery failed (status=${status}).`, disablesChannel: false }
}
