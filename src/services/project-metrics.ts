/** The metrics of one project. */
import { Refusal } from '../domain/errors.ts'
import { API_KEY_LENGTH, hashApiKey } from '../domain/project.ts'
import { formatProjectMetrics } from '../domain/project-metrics.ts'
import type { Deps } from './deps.ts'

/**
 * In Prometheus' text format, for whoever holds a read-only key of the project.
 * @throws Refusal `invalid` for what is not as long as a key; `forbidden` for any other key
 */
export async function readProjectMetrics(
  { store, site, now }: Pick<Deps, 'store' | 'site' | 'now'>,
  projectId: string,
  key: string,
): Promise<string> {
  if (key.length !== API_KEY_LENGTH) throw new Refusal('invalid', `a key has ${API_KEY_LENGTH} characters`)
  const access = await store.findAccess(hashApiKey(key, site.secret))
  if (access?.kind !== 'read-only' || access.project.id !== projectId) {
    throw new Refusal('forbidden', 'this is no read-only key of the project')
  }
  return formatProjectMetrics(await store.listChecksWithRuns(projectId), now())
}
