/** Access control for server-wide metrics. */
import { Refusal } from '../../domain/errors.ts'
import { isLoopback } from '../../lib/network/network.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import { bearerToken } from './bearer.ts'

/** Headers that proxies add to the requests that they forward. */
const FORWARDING = /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/** Returns whether `X-Metrics-Key` contains `metricsKey`; false if METRICS_KEY is not set. */
export function hasMetricsKey(headers: Headers, metricsKey: string | null): boolean {
  return metricsKey !== null && isSame(headers.get('x-metrics-key'), metricsKey)
}

/**
 * Checks that a request may read the metrics. If METRICS_KEY is set, the request has to contain it. If not, the client has to be on this
 * machine.
 * @param socketAddress address of the peer that the socket is connected to; null if unknown
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
 * Returns whether the client is on this machine. A loopback address is not enough: a proxy on this machine may forward other clients'
 * requests. A browser on this machine may also send requests for a page from any origin whose host name resolves to this machine (DNS
 * rebinding).
 */
function isLocalClient(headers: Headers, socketAddress: string | null): boolean {
  if (headers.keys().some((name) => FORWARDING.test(name))) return false
  return socketAddress !== null && isLoopback(socketAddress) && isLocalName(headers.get('host'))
}

/**
 * @param host host name or address, with or without a port; null is accepted, because such a request cannot come from a browser: browsers
 * always send a Host
 */
function isLocalName(host: string | null): boolean {
  const name = host?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') ?? 'localhost'
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}

function isSame(given: string | null, wanted: string): boolean {
  return given !== null && isSameSecret(given, wanted)
}
