/** The first ping of a project, which the set-up waits for. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Deps } from '../deps.ts'
import { readPages } from '../pages.ts'
import type { PingReceiver } from '../pings.ts'

/** The slug in the snippets of the set-up; the first ping creates its check. */
export const FIRST_SLUG = 'first-job'

export interface FirstPing {
  /** with `create=1`; ends without an action */
  readonly pingUrl: string
  /** the first check that was pinged; null while none was */
  readonly check: Check | null
}

/** @throws Refusal `read-only` for an actor who must not see the ping URL */
export async function getFirstPing(deps: Pick<Deps, 'store' | 'site'>, actor: Actor): Promise<FirstPing> {
  requireRight(actor, 'write')
  const pingKey = await findPingKey(deps, actor)
  return {
    pingUrl: `${deps.site.links.pingEndpoint}${pingKey}/${FIRST_SLUG}`,
    check: await findPinged(deps, actor),
  }
}

async function findPingKey({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<string> {
  const key = (await store.listKeys(project.id)).find(({ kind }) => kind === 'ping')
  // A ping key is stored as it is.
  if (key) return key.lookup
  throw new Refusal('key-not-found', `project "${project.name}" has no ping key`, { project: project.name })
}

async function findPinged({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<Check | null> {
  for await (const page of readPages((after) => store.listChecks(project.id, {}, after))) {
    const pinged = page.find(({ check }) => check.nPings > 0)
    if (pinged) return pinged.check
  }
  return null
}

/** Pings as a job would. @throws Refusal `unavailable` */
export async function sendFirstPing(
  deps: Pick<Deps, 'store'> & { readonly pings: PingReceiver },
  actor: Actor,
  client: { readonly address: string | null; readonly scheme: string; readonly userAgent: string },
): Promise<void> {
  requireRight(actor, 'write')
  const pingKey = await findPingKey(deps, actor)
  await deps.pings.receive(
    { kind: 'slug', pingKey, slug: FIRST_SLUG, create: true },
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
