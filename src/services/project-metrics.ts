/** The metrics of one project. */
import { Refusal } from '../domain/errors.ts'
import { API_KEY_LENGTH, hashApiKey } from '../domain/project.ts'
import { ProjectMetrics } from '../domain/project-metrics.ts'
import type { Deps } from './deps.ts'
import { readPages } from './pages.ts'

/**
 * In Prometheus' text format as UTF-8, in pieces, for whoever holds a read-only key of the project.
 * @throws Refusal `invalid` for what is not as long as a key; `forbidden` for any other key
 */
export async function readProjectMetrics(
  deps: Pick<Deps, 'store' | 'site' | 'now'>,
  projectId: string,
  key: string,
): Promise<AsyncGenerator<Uint8Array>> {
  if (key.length !== API_KEY_LENGTH) throw new Refusal('invalid', `a key has ${API_KEY_LENGTH} characters`)
  const access = await deps.store.findAccess(hashApiKey(key, deps.site.secret))
  if (access?.kind !== 'read-only' || access.project.id !== projectId) {
    throw new Refusal('forbidden', 'this is no read-only key of the project')
  }
  return write(deps, projectId)
}

async function* write({ store, now }: Pick<Deps, 'store' | 'now'>, projectId: string): AsyncGenerator<Uint8Array> {
  const metrics = new ProjectMetrics()
  const at = now()
  for await (const page of readPages((after) => store.listChecksWithRuns(projectId, after))) metrics.add(page, at)
  const encoder = new TextEncoder()
  for (const piece of metrics.text()) yield encoder.encode(piece)
}
