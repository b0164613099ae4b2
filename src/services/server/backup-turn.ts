/** Ensures that only one instance takes a backup at a time. */
import type { Deps } from '../common/deps.ts'
import { createLease } from './leases.ts'

const NAME = 'backups'
/** Duration of a lease, in seconds. If an instance is killed during a backup, the other instances cannot take one for this long. */
const LEASE_SECONDS = 60
const RENEW_MS = 15_000

type TurnDeps = Pick<Deps, 'store' | 'stopwatch' | 'instance'>

export interface Turns {
  /** @returns a function that ends the turn; null if another backup is in progress */
  take(): Promise<(() => Promise<void>) | null>
  /** Returns true if this instance is taking a backup. */
  isTaken(): boolean
}

export function createTurns({ store, stopwatch, instance }: TurnDeps): Turns {
  let isTaken = false
  const take: Turns['take'] = async () => {
    if (isTaken) return null
    isTaken = true
    // A new lease is created each time, because an old one does not reflect what other instances have done since then.
    const lease = createLease({ store, stopwatch, instance }, NAME, LEASE_SECONDS)
    const isHeld = await lease.hold().catch((error) => {
      isTaken = false
      throw error
    })
    if (!isHeld) {
      isTaken = false
      return null
    }
    const renewal = setInterval(() => void lease.hold().catch(() => {}), RENEW_MS)
    return async () => {
      clearInterval(renewal)
      isTaken = false
      // If releasing the lease fails, it expires on its own.
      await store.server.takeLease(NAME, instance.id, 0).catch(() => {})
    }
  }
  return { take, isTaken: () => isTaken }
}
