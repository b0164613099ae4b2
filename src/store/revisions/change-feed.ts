/** Reports the changes in each commit of this process to watchers. Costs nothing if there are no watchers. */

import type { CommittedChange } from '../interface/changes.ts'
import type { Changes } from './revisions.ts'

export class ChangeFeed {
  readonly #listeners = new Set<(change: CommittedChange) => void>()

  watch(listener: (change: CommittedChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  checks({ touched, edited, stateOf, statuses }: Changes): void {
    if (touched.size > 0 || edited.size > 0) this.publish({ kind: 'checks', touched, edited, stateOf, statuses })
  }

  publish(change: CommittedChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
