/** Access to the metrics of the whole server. */
import { Refusal } from '../../domain/errors.ts'
import { isLoopback } from '../../lib/network/network.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import { bearerToken } from './bearer.ts'

/** Headers that proxies add to the requests of others. */
const FORWARDING = /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/** Returns whether `X-Metrics-Key` holds `metricsKey`; false while that is not set. */
export function hasMetricsKey(headers: Headers, metricsKey: string | null): boolean {
  return metricsKey !== null && isSame(headers.get('x-metrics-key'), metricsKey)
}

/**
 * Checks that a request may read the metrics. If METRICS_KEY is set, the request must contain it. If not, the client must be on this
 * machine.
 * @param socketAddress the other end of the connection; null if unknown
 * @throws Refusal `forbidden`
 */
export function requireMetricsAccess(headers: Headers, socketAddress: string | null, metricsKey: string | null): void {
  if (metricsKey === null) {
    if (!isLocalClient(headers, socketAddress)) {
      throw new Refusal(
        'forbidden',
        'set METRICS_KEY and send it as "Authorization: Bearer <key>", or connect from 127.0.0.1',
      )
    }
  } else if (!hasMetricsKey(headers, metricsKey) && !isSame(bearerToken(headers), metricsKey)) {
    throw new Refusal('forbidden', 'send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"')
  }
}

/**
 * Whether the client is on this machine. A loopback address is not enough: a proxy on this machine forwards requests of others, and a page
 * of any origin can send requests from a browser on this machine, through a name that resolves to it (DNS rebinding).
 */
function isLocalClient(headers: Headers, socketAddress: string | null): boolean {
  if (headers.keys().some((name) => FORWARDING.test(name))) return false
  return socketAddress !== null && isLoopback(socketAddress) && isLocalName(headers.get('host'))
}

/** @param host name or address, perhaps with a port; a client that sends none is not a browser */
function isLocalName(host: string | null): boolean {
  const name = host?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') ?? 'localhost'
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}

function isSame(given: string | null, wanted: string): boolean {
  return given !== null && isSameSecret(given, wanted)
}
