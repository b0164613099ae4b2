/** The first check of a project, and its first ping, which the set-up waits for. */
import { type Actor, requireRight } from '../domain/actor.ts'
import type { Check } from '../domain/check/check.ts'
import type { CheckWithChannels } from '../domain/check/representation.ts'
import { listChecks, upsertCheck } from './checks.ts'
import type { Deps } from './deps.ts'
import { type PingingClient, sendPing } from './ping-now.ts'
import type { PingReceiver } from './pings.ts'

/** Daily, with an hour of grace, as any new check. */
const FIRST_CHECK = { name: 'First job', slug: 'first-job', channels: '*' } as const

/** The oldest check of the project. @throws Refusal `read-only` for an actor who must not see its ping URL */
export async function findFirstCheck(deps: Pick<Deps, 'store'>, actor: Actor): Promise<CheckWithChannels | null> {
  requireRight(actor, 'write')
  for await (const [first] of listChecks(deps, actor, {})) if (first) return first
  return null
}

/** Creates a check unless the project has one. @returns the oldest */
export async function createFirstCheck(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>,
  actor: Actor,
): Promise<Check> {
  const first = await findFirstCheck(deps, actor)
  return first?.check ?? (await upsertCheck(deps, actor, { ...FIRST_CHECK, unique: ['slug'] }, false)).check
}

/**
 * Pings the first check as a job would, while it waits for its first ping: a later one would be a false success of a real job.
 * @returns false if there is no such check @throws Refusal `unavailable`
 */
export async function sendFirstPing(
  deps: Pick<Deps, 'store'> & { readonly pings: PingReceiver },
  actor: Actor,
  client: PingingClient,
): Promise<boolean> {
  const first = await findFirstCheck(deps, actor)
  if (first === null || first.check.nPings > 0) return false
  await sendPing(deps, actor, first.check, client)
  return true
}
