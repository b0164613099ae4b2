/**
 * Leases of work that one instance does at a time. If two do it, nothing breaks, since the store locks its changes; it is only done twice.
 */
import type { Clock, Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

export interface Lease {
  /** Whether this instance may work now. Queries the store only when the lease is half over, or may be taken. */
  hold(): Promise<boolean>
  /** Whether the lease may be free or ours: false while another instance is known to hold it. Queries nothing. */
  mayBeHeld(): boolean
  /** Returns for how many seconds another instance is known to hold it; 0 if none does. Queries nothing. */
  heldByOthersFor(): number
}

type LeaseDeps = Pick<Deps, 'stopwatch' | 'instance'> & {
  readonly store: { readonly server: Pick<Deps['store']['server'], 'takeLease'> }
}

/** @param seconds after which a killed instance is replaced; work that takes longer is not interrupted */
export function createLease({ store, stopwatch, instance }: LeaseDeps, name: string, seconds: number): Lease {
  let ownUntil = Number.NEGATIVE_INFINITY
  let othersUntil = Number.NEGATIVE_INFINITY
  const mayBeHeld = () => stopwatch() >= othersUntil
  return {
    mayBeHeld,
    heldByOthersFor: () => Math.max(0, othersUntil - stopwatch()),
    async hold() {
      // The database counts from a later moment, so a lease that has expired there has expired here, too.
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
 * @returns a run, which returns the result of `work`: when to run next. While another instance holds the lease, that is when it ends
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
