/** Provides a project's metrics for Prometheus. */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { ProjectMetrics } from '../../domain/metrics/project-metrics.ts'
import { API_KEY_LENGTH } from '../../domain/project.ts'
import type { Deps } from '../common/deps.ts'
import { findApiKey } from '../common/imported-secrets.ts'
import { readPages } from '../common/pages.ts'
import { keyActor, noteUse, type UseDeps } from './keys.ts'

/**
 * Verifies a scraper's key. Only the project's read-only keys are accepted, because scrapers should not store any other keys.
 * @throws Refusal `invalid` if the key does not have the right length; `forbidden` for any other key
 */
export async function getMetricsReader(
  deps: UseDeps & Pick<Deps, 'site'>,
  projectId: string,
  key: string,
): Promise<Actor> {
  if (key.length !== API_KEY_LENGTH) throw new Refusal('invalid', `a key has ${API_KEY_LENGTH} characters`)
  const found = await findApiKey(deps, key)
  if (found?.kind !== 'read-only' || found.project.id !== projectId) {
    throw new Refusal('forbidden', 'this is not a read-only key of the project')
  }
  noteUse(deps, found)
  return keyActor(found, key, null)
}

/** Yields the metrics in the Prometheus text format, in pieces of UTF-8 text. */
export async function* readProjectMetrics(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  { project }: Actor,
): AsyncGenerator<Uint8Array> {
  const metrics = new ProjectMetrics()
  const at = now()
  for await (const page of readPages((after) => store.checks.listWithRuns(project.id, after))) metrics.add(page, at)
  const encoder = new TextEncoder()
  for (const piece of metrics.text()) yield encoder.encode(piece)
}
