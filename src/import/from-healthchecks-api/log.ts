/** Converts pings from the API. */

import { readOccurredAt } from '../../domain/ping/occurred-at.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { userAgent } from '../../domain/ping/signal.ts'
import { parseUuid } from '../../lib/secrets/uuid.ts'
import { storable } from '../../lib/text/text.ts'
import { Temporal } from '../../lib/time.ts'
import type { ApiPing } from './answers.ts'

/** A ping, and whether its body must be requested. */
interface ListedImport {
  readonly ping: Ping
  readonly hasBodyUrl: boolean
}

/**
 * Converts pings, in the order of `n` and without duplicates. The API does not return exit statuses.
 * @param listed in any order
 */
export function toLog(checkId: string, listed: readonly ApiPing[]): ListedImport[] {
  const byNumber = new Map(listed.map((entry) => [entry.n, entry]))
  return [...byNumber.values()].toSorted((a, b) => a.n - b.n).map((entry) => toListed(checkId, entry))
}

function toListed(checkId: string, entry: ApiPing): ListedImport {
  const { type, date, n, scheme, method, ua, remote_addr: remoteAddr, rid, body_url: bodyUrl, body } = entry
  const receivedAt = Temporal.Instant.from(date)
  const ping: Ping = {
    checkId,
    n,
    receivedAt,
    kind: type,
    exitStatus: null,
    occurredAt: readOccurredAt(entry.occurred_at ? [entry.occurred_at] : [], receivedAt).at,
    rid: parseUuid(rid ?? ''),
    scheme: storable(scheme),
    method: storable(method),
    ua: userAgent(ua),
    remoteAddr,
    body: body === undefined || body === null || body === '' ? null : new TextEncoder().encode(body),
    contentType: null,
    ignoredBy: null,
  }
  return { ping, hasBodyUrl: ping.body === null && typeof bodyUrl === 'string' }
}
