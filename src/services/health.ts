/** Health: whether the database answers. */
import type { Deps } from './deps.ts'

/** @throws Refusal `unavailable` */
export function probeDatabase({ store }: Pick<Deps, 'store'>): Promise<void> {
  return store.ping()
}
