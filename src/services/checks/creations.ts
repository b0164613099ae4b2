/** Creates many checks in a project in one operation. `undoChange` in `bulk.ts` can undo it. */
import { makeToken } from '../../domain/account/session.ts'
import { type PersonActor, requireRight } from '../../domain/actor.ts'
import { undoOfCreation } from '../../domain/bulk/creation.ts'
import { type CheckSpec, newCheck } from '../../domain/check/check.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { authorOf } from '../common/author.ts'
import { newIdentity } from '../common/identity.ts'
import { rules } from '../common/rules.ts'
import { type BulkDeps, changedAtOnce, passIfBegun, undoKey } from './bulk.ts'
import { decideBy } from './checks.ts'

interface CreationOutcome {
  readonly created: number
  /**
   * number of checks that were not created, because an error stopped the creation after other checks were created; the error is in the log
   */
  readonly left: number
  /** token for `undoChange`, valid for an hour; null if nothing was created */
  readonly undo: string | null
}

/**
 * Creates checks. Each batch of 25 checks is one transaction and one change in the audit log, as in `changeChecks`. A check is skipped if
 * another check with the same slug was created in the project in the meantime.
 * @throws Refusal `channel-list-invalid`; any error, if nothing was created before it
 */
export async function createChecks(
  deps: BulkDeps,
  actor: PersonActor,
  specs: readonly CheckSpec[],
): Promise<CreationOutcome> {
  requireRight(actor, 'write')
  const projectId = actor.project.id
  const token = makeToken(deps.random.bytes)
  const undoable = { key: undoKey(actor, token), begunAt: deps.now(), undoOf: undoOfCreation }
  let [created, reached] = [0, 0]
  try {
    for (const batch of inBatches(specs, await changedAtOnce(deps, actor))) {
      const author = authorOf(deps, actor.by)
      const creations = batch.map((spec) => ({
        fresh: newCheck({ ...newIdentity(deps.random), projectId, createdAt: author.at }),
        decide: decideBy(actor, spec, false),
      }))
      const writes = deps.store.by(author)
      const keeping = { ...undoable, stepsBefore: created }
      const done = await deps.eventLoop.step(() => writes.checks.createMany(projectId, creations, rules(deps), keeping))
      created += done.length
      reached += batch.length
    }
  } catch (error) {
    passIfBegun(deps, { error, changed: created, left: specs.length - reached })
  }
  return { created, left: specs.length - reached, undo: created > 0 ? token : null }
}
