/**
 * Leases for work that only one instance should do at a time. If two instances do the same work, nothing breaks, because the store uses
 * locks for its changes. The work is just done twice.
 */
import type { Clock, Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

export interface Lease {
  /**
   * Returns true if this instance may do the work now. Queries the store only if half of the lease has passed, or if the lease may be free.
   */
  hold(): Promise<boolean>
  /** Returns false while another instance is known to hold the lease. Does not query the store. */
  mayBeHeld(): boolean
  /**
   * Returns how many more seconds another instance is known to hold the lease; 0 if no other instance holds it. Does not query the store.
   */
  heldByOthersFor(): number
}

type LeaseDeps = Pick<Deps, 'stopwatch' | 'instance'> & {
  readonly store: { readonly server: Pick<Deps['store']['server'], 'takeLease'> }
}

/** @param seconds seconds until another instance takes over from an instance that was killed; work that takes longer is not interrupted */
export function createLease({ store, stopwatch, instance }: LeaseDeps, name: string, seconds: number): Lease {
  let ownUntil = Number.NEGATIVE_INFINITY
  let othersUntil = Number.NEGATIVE_INFINITY
  const mayBeHeld = () => stopwatch() >= othersUntil
  return {
    mayBeHeld,
    heldByOthersFor: () => Math.max(0, othersUntil - stopwatch()),
    async hold() {
      // The database starts counting later. If a lease has expired in the database, it has therefore also expired here.
      const asked = stopwatch()
      if (asked < ownUntil - seconds / 2) return true
      if (!mayBeHeld()) return false
      const lease = await store.server.takeLease(name, instance.id, seconds)
      ownUntil = lease.isHolder ? asked + seconds : Number.NEGATIVE_INFINITY
      othersUntil = lease.isHolder ? Number.NEGATIVE_INFINITY : stopwatch() + lease.seconds
      return lease.isHolder
    },
  }
}

/**
 * Runs the work only while this instance holds the lease.
 * @returns a function that returns when to run next: the result of `work`, or the end of the lease if another instance holds the lease
 */
export function underLease(
  lease: Lease,
  now: Clock,
  work: () => Promise<Instant | null>,
): () => Promise<Instant | null> {
  return async () => {
    if (await lease.hold()) return work()
    return now().add({ milliseconds: Math.ceil(lease.heldByOthersFor() * 1000) })
  }
}
