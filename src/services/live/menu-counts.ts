/** The numbers of the menu: checks that are down, alerts that wait, and checks with advice. */

import { COUNTED_AT_MOST } from '../alerts/delivery-list.ts'
import { countAdvised } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import type { Wanted } from '../common/ports/live.ts'
import type { LiveUpdate } from '../common/ports/live-update.ts'
import { ProjectCounts } from './project-counts.ts'

export class MenuCounts {
  readonly #down: ProjectCounts
  readonly #waiting: ProjectCounts
  readonly #advised: ProjectCounts

  constructor({ store }: Pick<Deps, 'store'>, onError: (error: unknown) => void) {
    this.#down = new ProjectCounts({ read: (ids) => store.projects.countDown(ids), onError })
    this.#waiting = new ProjectCounts({ read: (ids) => store.deliveries.countWaiting(ids, COUNTED_AT_MOST), onError })
    const countEach = (ids: readonly string[]) => Promise.all(ids.map((id) => countAdvised({ store }, id)))
    this.#advised = new ProjectCounts({ read: countEach, onError })
  }

  /** @returns what to call at the end */
  watch(
    { numbersOf, waitingOf }: Pick<Wanted, 'numbersOf' | 'waitingOf'>,
    push: (update: LiveUpdate) => void,
  ): (() => void)[] {
    return [
      ...(numbersOf.length > 0 ? [this.#down.watch(numbersOf, (down) => push({ kind: 'down', down }))] : []),
      ...(waitingOf.length > 0
        ? [
            this.#waiting.watch(waitingOf, (waiting) => push({ kind: 'waiting', waiting })),
            this.#advised.watch(waitingOf, (advised) => push({ kind: 'advised', advised })),
          ]
        : []),
    ]
  }

  /** Checks of the project may have gone down or up, which owes alerts, or may be deleted, which drops theirs. */
  changeChecks(projectId: string): void {
    this.#down.change(projectId)
    this.#waiting.change(projectId)
    this.#advised.change(projectId)
  }

  changeAdvice(projectId: string): void {
    this.#advised.change(projectId)
  }

  changeAlerts(projectId: string): void {
    this.#waiting.change(projectId)
  }

  changeAll(): void {
    this.#down.changeAll()
    this.#waiting.changeAll()
    this.#advised.changeAll()
  }

  /** Reads what has changed and tells it. */
  async update(): Promise<void> {
    await this.#down.update()
    await this.#waiting.update()
    await this.#advised.update()
  }
}
