/** Who may see the figures of the whole server. */
import { Refusal } from '../domain/errors.ts'
import { canonicalAddress, isInNetwork, parseNetwork } from '../domain/network.ts'
import { isSameSecret } from '../domain/same-secret.ts'
import { bearerToken } from './bearer.ts'

/** By what proxies say that there is somebody behind them. */
const FORWARDING = /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseNetwork)

/** True when the request carries `metricsKey` in `X-Metrics-Key`; never while that is not set. */
export function hasMetricsKey(headers: Headers, metricsKey: string | null): boolean {
  return metricsKey !== null && isSame(headers.get('x-metrics-key'), metricsKey)
}

/**
 * Where METRICS_KEY is set it has to be sent; else the client has to sit on this machine.
 * @param socketAddress what the connection itself says; null when it cannot be told
 * @throws Refusal `forbidden`
 */
export function requireMetricsAccess(headers: Headers, socketAddress: string | null, metricsKey: string | null): void {
  if (metricsKey === null) {
    if (!isDirectFromHere(headers, socketAddress)) {
      throw new Refusal(
        'forbidden',
        'set METRICS_KEY and send it as "Authorization: Bearer <key>", or ask from 127.0.0.1',
      )
    }
  } else if (!hasMetricsKey(headers, metricsKey) && !isSame(bearerToken(headers), metricsKey)) {
    throw new Refusal('forbidden', 'send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"')
  }
}

/**
 * What a proxy on this machine hands on comes from here too, but for somebody else; and a page of any origin can have a
 * browser on this machine ask, by a name that leads here (DNS rebinding).
 */
function isDirectFromHere(headers: Headers, socketAddress: string | null): boolean {
  if (headers.keys().some((name) => FORWARDING.test(name))) return false
  return isLoopback(socketAddress) && isNameOfHere(headers.get('host'))
}

function isLoopback(text: string | null): boolean {
  const address = text === null ? null : canonicalAddress(text)
  return address !== null && LOOPBACK.some((network) => isInNetwork(address, network))
}

/** @param host name or address, perhaps with a port; clients without one are no browsers */
function isNameOfHere(host: string | null): boolean {
  const name = host?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') ?? 'localhost'
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}

function isSame(given: string | null, wanted: string): boolean {
  return given !== null && isSameSecret(given, wanted)
}
