/** Deletes a project and all its data. */

import { type Actor, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { deleteEndedDeliveries } from '../channels/channel-deletion.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

/** Number of checks per transaction. A transaction takes about five milliseconds, and pings wait during that time. */
const CHECKS_AT_ONCE = 25

/**
 * Deletes the checks in batches, then the finished deliveries, and finally the project. Pings to other projects therefore don't have to
 * wait long. If the deletion is interrupted, the project and its remaining data still exist, and the project can be deleted again.
 * @throws Refusal `project-not-found` if the project was deleted in the meantime
 */
export async function deleteProject(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'eventLoop' | 'onPrunable'>,
  actor: Actor,
): Promise<void> {
  requireRight(actor, 'own')
  const { store, eventLoop } = deps
  const { id, name } = actor.project
  const writes = () => store.by(authorOf(deps, actor.by))
  let deleted = 0
  for await (const page of readPages((after) => store.checks.list(id, {}, after))) {
    const publicIds = page.map(({ check }) => check.publicId)
    for (const batch of inBatches(publicIds, CHECKS_AT_ONCE)) {
      deleted += await eventLoop.step(() => writes().projects.deleteChecks(id, batch))
    }
  }
  for (const channel of await store.channels.list(id)) await deleteEndedDeliveries(deps, channel)
  const isDeleted = await writes().projects.delete(id, deleted)
  deps.onPrunable()
  if (!isDeleted) throw new Refusal('project-not-found', `project "${name}" no longer exists`, { name })
}
