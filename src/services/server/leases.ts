/**
 * Work that one instance does at a time. Nothing is wrong if two do it, since the store locks what it changes; it would only be done
 * twice.
 */
import type { Clock, Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

export interface Lease {
  /** True if this instance may work now. Asks the store only when the lease is half over, or may be taken. */
  hold(): Promise<boolean>
  /** False while another instance is known to hold it. Asks nobody. */
  mayBeHeld(): boolean
  /** For how many seconds another instance is known to hold it; 0 if none is. Asks nobody. */
  heldByOthersFor(): number
}

type LeaseDeps = Pick<Deps, 'stopwatch' | 'instance'> & { readonly store: Pick<Deps['store'], 'takeLease'> }

/** @param seconds after which an instance that was killed is replaced; work that takes longer is not interrupted */
export function createLease({ store, stopwatch, instance }: LeaseDeps, name: string, seconds: number): Lease {
  let ownUntil = Number.NEGATIVE_INFINITY
  let othersUntil = Number.NEGATIVE_INFINITY
  const mayBeHeld = () => stopwatch() >= othersUntil
  return {
    mayBeHeld,
    heldByOthersFor: () => Math.max(0, othersUntil - stopwatch()),
    async hold() {
      // The database counts from a later moment, so a lease that is over there is over here, too.
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
 * @returns a run, which returns what `work` returns: when to run next. While another instance holds the lease, that is when it ends
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
