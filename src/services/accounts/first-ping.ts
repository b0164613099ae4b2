/** The first check of a project, and its first ping, which the set-up waits for. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { listChecks, upsertCheck } from '../checks.ts'
import type { Deps } from '../deps.ts'
import type { PingReceiver } from '../pings.ts'

/** Daily, with an hour of grace, as any new check. */
const FIRST_CHECK = { name: 'First job', slug: 'first-job', channels: '*' } as const

/** The oldest check of the project. @throws Refusal `read-only` for an actor who must not see its ping URL */
export async function findFirstCheck(deps: Pick<Deps, 'store'>, actor: Actor): Promise<Check | null> {
  requireRight(actor, 'write')
  for await (const [first] of listChecks(deps, actor, {})) if (first) return first.check
  return null
}

/** Creates a check unless the project has one. @returns the oldest */
export async function createFirstCheck(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>,
  actor: Actor,
): Promise<Check> {
  const first = await findFirstCheck(deps, actor)
  return first ?? (await upsertCheck(deps, actor, { ...FIRST_CHECK, unique: ['slug'] }, false)).check
}

/** Pings a check as a job would. @throws Refusal `unavailable` */
export async function sendPing(
  { pings }: { readonly pings: PingReceiver },
  actor: Actor,
  check: Check,
  client: { readonly address: string | null; readonly scheme: string; readonly userAgent: string },
): Promise<void> {
  requireRight(actor, 'write', check)
  await pings.receive(
    { kind: 'id', id: check.id },
    {
      action: 'success',
      exitStatus: null,
      rid: null,
      scheme: client.scheme,
      method: 'POST',
      ua: client.userAgent,
      remoteAddr: client.address,
      body: null,
      searched: null,
      mail: null,
    },
  )
}

/**
 * Resolves when the check has been pinged, or is gone.
 * @param pause resolves when it is time to look again @param signal aborted when nobody waits any more
 */
export async function firstPingOf(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  { pause, signal }: { readonly pause: () => Promise<unknown>; readonly signal: AbortSignal },
): Promise<void> {
  requireRight(actor, 'write', check)
  while (!signal.aborted) {
    const found = await store.findCheck(check.id)
    if (found === null || found.check.nPings > 0) return
    await pause()
  }
}
