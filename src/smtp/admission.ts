/** Who may stay: a stranger has a few connections at a time, and each of them not for long. */
import { canonicalAddress, isInNetwork, parseNetwork } from '../domain/network.ts'
import { Rejection } from './rejection.ts'

export interface AdmissionLimits {
  readonly connectionsOfClient: number
  readonly strangerMs: number
}

interface Connected {
  readonly remoteAddress: string
}

export class Admission {
  readonly #limits: AdmissionLimits
  readonly #sendAway: (id: string) => void
  /** by the id of their connection, those who have named no check yet */
  readonly #strangers = new Map<string, Timer>()

  /** @param sendAway ends the connection of that id */
  constructor(limits: AdmissionLimits, sendAway: (id: string) => void) {
    this.#limits = limits
    this.#sendAway = sendAway
  }

  /**
   * @param connections that are open, the new one among them
   * @returns why it may not stay; null when it may
   */
  enter(
    { id, remoteAddress }: Connected & { readonly id: string },
    connections: Iterable<Connected>,
  ): Rejection | null {
    const ofClient = countOfClient(remoteAddress, connections)
    if (ofClient > this.#limits.connectionsOfClient) return new Rejection(421, 'too many connections from your address')
    this.#strangers.set(
      id,
      setTimeout(() => this.#sendAway(id), this.#limits.strangerMs),
    )
    return null
  }

  /** To be told when a client has named a check. */
  welcome(id: string): void {
    clearTimeout(this.#strangers.get(id))
    this.#strangers.delete(id)
  }

  /** To be told when a connection is closed. */
  leave(id: string): void {
    this.welcome(id)
  }
}

/** Who has one address of IPv6 has a network of them (RFC 4291, 2.5.4: 64 bits). */
function countOfClient(remoteAddress: string, connections: Iterable<Connected>): number {
  const address = canonicalAddress(remoteAddress)
  if (address === null) return 0
  const client = parseNetwork(address.includes(':') ? `${address}/64` : address)
  return Array.from(connections, (it) => canonicalAddress(it.remoteAddress)).filter(
    (it) => it !== null && isInNetwork(it, client),
  ).length
}
