/** Limits the number of connections per client, and the time that a client may take to name a check. */
import { canonicalAddress, isInNetwork, parseNetwork } from '../lib/network/network.ts'
import { Rejection } from './rejection.ts'

interface AdmissionLimits {
  readonly connectionsOfClient: number
  readonly identifyWithinMs: number
}

interface Connected {
  readonly remoteAddress: string
}

export class Admission {
  readonly #limits: AdmissionLimits
  readonly #disconnect: (id: string) => void
  /** timers for clients that have not named a check yet, by connection id */
  readonly #unidentified = new Map<string, Timer>()

  /** @param disconnect closes the connection with the given id */
  constructor(limits: AdmissionLimits, disconnect: (id: string) => void) {
    this.#limits = limits
    this.#disconnect = disconnect
  }

  /**
   * @param connections all open connections, including the new one
   * @returns the reason for rejecting the connection; null if it is accepted
   */
  enter(
    { id, remoteAddress }: Connected & { readonly id: string },
    connections: Iterable<Connected>,
  ): Rejection | null {
    const ofClient = countOfClient(remoteAddress, connections)
    if (ofClient > this.#limits.connectionsOfClient) return new Rejection(421, 'too many connections from your address')
    this.#unidentified.set(
      id,
      setTimeout(() => this.#disconnect(id), this.#limits.identifyWithinMs),
    )
    return null
  }

  /** Call this method as soon as a client has named a check. */
  identified(id: string): void {
    clearTimeout(this.#unidentified.get(id))
    this.#unidentified.delete(id)
  }

  /** Call this method when a connection is closed. */
  leave(id: string): void {
    this.identified(id)
  }
}

/** Counts a client's connections. All addresses in one 64-bit IPv6 network count as one client (RFC 4291, 2.5.4). */
function countOfClient(remoteAddress: string, connections: Iterable<Connected>): number {
  const address = canonicalAddress(remoteAddress)
  if (address === null) return 0
  const client = parseNetwork(address.includes(':') ? `${address}/64` : address)
  return Array.from(connections, (it) => canonicalAddress(it.remoteAddress)).filter(
    (it) => it !== null && isInNetwork(it, client),
  ).length
}
