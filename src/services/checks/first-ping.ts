/** Creates a project's first check when a user requests it, and sends its first ping. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check, CheckSpec } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { slugify } from '../../domain/check/slug.ts'
import type { Deps } from '../common/deps.ts'
import { type PingingClient, sendPing } from '../pings/ping-now.ts'
import type { PingReceiver } from '../pings/pings.ts'
import { listChecks, upsertCheck } from './checks.ts'

/** Returns the project's oldest check. @throws Refusal `read-only` if the actor is not allowed to see its ping URL */
export async function findFirstCheck(deps: Pick<Deps, 'store'>, actor: Actor): Promise<CheckWithChannels | null> {
  requireRight(actor, 'write')
  for await (const [first] of listChecks(deps, actor, {})) if (first) return first
  return null
}

/**
 * Creates a check with all channels, unless the project already has a check. The check has the usual defaults: a period of one day and a
 * grace time of one hour.
 * @returns the oldest check
 */
export async function createFirstCheck(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>,
  actor: Actor,
  name: string,
): Promise<Check> {
  const first = await findFirstCheck(deps, actor)
  if (first !== null) return first.check
  const spec: CheckSpec = { name, slug: slugify(name), channels: '*', unique: ['name'] }
  return (await upsertCheck(deps, actor, spec, false)).check
}

/**
 * Pings the first check as a job would, but only if the check has not been pinged yet. After the first ping, another one would look like
 * a success of the real job.
 * @returns false if there is no such check
 * @throws Refusal `unavailable`
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
