/** Projects with predictable slugs, so that tests can contain the addresses of their pages. */
import { makeKey, type Project, storedKey } from '../../src/domain/project.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import type { FreshKeys } from '../../src/services/projects/projects.ts'
import { anAuthor, aProject, testRandom } from './store-builders.ts'

/** Creates a project as a command does, but with its name in lower case as its slug. */
export async function plainProject(
  { store, now, site, pingLogLimit }: Pick<Deps, 'store' | 'now' | 'site' | 'pingLogLimit'>,
  name: string,
): Promise<{ readonly project: Project; readonly keys: FreshKeys }> {
  const createdAt = now()
  const fresh = aProject({ name, slug: name.toLowerCase(), createdAt, pingLogLimit })
  const keys: FreshKeys = {
    apiKey: makeKey('read-write', testRandom.bytes),
    apiKeyReadonly: makeKey('read-only', testRandom.bytes),
    pingKey: makeKey('ping', testRandom.bytes),
  }
  const stored = [
    storedKey(fresh, 'read-write', keys.apiKey, site.secret, createdAt),
    storedKey(fresh, 'read-only', keys.apiKeyReadonly, site.secret, createdAt),
    storedKey(fresh, 'ping', keys.pingKey, site.secret, createdAt),
  ]
  return { project: await store.by(anAuthor({ at: createdAt })).projects.create(fresh, stored), keys }
}
