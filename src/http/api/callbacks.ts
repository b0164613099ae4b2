/**
 * `notifications/:id/status`: what the service behind a channel learns later about a message that it took (behaviour of
 * the peer, 1.15; https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). No key: of
 * the kinds whose services report here, only the service knows the id.
 */
import { Elysia } from 'elysia'
import { isUuid } from '../../domain/uuid.ts'
import { type ReportedFailure, reportFailure } from '../../services/late-failures.ts'
import { readBytes, STRANGERS_BODY_LIMIT } from '../body.ts'
import { requireMethod } from '../errors.ts'
import type { ApiDeps } from './door.ts'

const METHODS = ['POST']

export function callbacks(deps: ApiDeps) {
  return new Elysia().all(
    '/notifications/:id/status',
    async ({ request, params }) => {
      requireMethod(request, METHODS)
      const failure = failureIn(
        new URLSearchParams(new TextDecoder().decode(await readBytes(request, STRANGERS_BODY_LIMIT))),
      )
      if (failure && isUuid(params.id)) await reportFailure(deps, params.id, failure)
      return new Response('OK', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
    { parse: 'none', detail: { hide: true } },
  )
}

const FAILED_MESSAGES = ['failed', 'undelivered']

/** Null for news that is no failure. */
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
