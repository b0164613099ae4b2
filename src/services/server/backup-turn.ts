/** The turn of one backup: only one is taken at a time by all instances. */
import type { Deps } from '../common/deps.ts'
import { createLease } from './leases.ts'

const NAME = 'backups'
/** Seconds of a lease, for which an instance that was killed during a backup blocks others. */
const LEASE_SECONDS = 60
const RENEW_MS = 15_000

type TurnDeps = Pick<Deps, 'store' | 'stopwatch' | 'instance'>

export interface Turns {
  /** @returns a function that ends the turn; null while another backup is in progress */
  take(): Promise<(() => Promise<void>) | null>
  /** Whether a backup of this instance is in progress. */
  isTaken(): boolean
}

export function createTurns({ store, stopwatch, instance }: TurnDeps): Turns {
  let isTaken = false
  const take: Turns['take'] = async () => {
    if (isTaken) return null
    isTaken = true
    // A new lease each time, because an old one does not know what other instances have done since.
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
      // If that fails, the lease expires on its own.
      await store.server.takeLease(NAME, instance.id, 0).catch(() => {})
    }
  }
  return { take, isTaken: () => isTaken }
}
