/** Updates the numbers in the menu: checks that are down, alerts that are waiting or have failed, and checks with advice. */

import { countUndelivered } from '../alerts/delivery-list.ts'
import { countAdvised } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import type { Wanted } from '../common/ports/live.ts'
import type { LiveUpdate } from '../common/ports/live-update.ts'
import { ProjectCounts } from './project-counts.ts'

export class MenuCounts {
  readonly #down: ProjectCounts
  readonly #undelivered: ProjectCounts
  readonly #advised: ProjectCounts

  constructor(deps: Pick<Deps, 'store' | 'now'>, onError: (error: unknown) => void) {
    this.#down = new ProjectCounts({ read: (ids) => deps.store.projects.countDown(ids), onError })
    this.#undelivered = new ProjectCounts({ read: (ids) => countUndelivered(deps, ids), onError })
    const countEach = (ids: readonly string[]) => Promise.all(ids.map((id) => countAdvised(deps, id)))
    this.#advised = new ProjectCounts({ read: countEach, onError })
  }

  /** @returns a function that stops watching */
  watch(
    { numbersOf, menusOf }: Pick<Wanted, 'numbersOf' | 'menusOf'>,
    push: (update: LiveUpdate) => void,
  ): (() => void)[] {
    return [
      ...(numbersOf.length > 0 ? [this.#down.watch(numbersOf, (down) => push({ kind: 'down', down }))] : []),
      ...(menusOf.length > 0
        ? [
            this.#undelivered.watch(menusOf, (undelivered) => push({ kind: 'undelivered', undelivered })),
            this.#advised.watch(menusOf, (advised) => push({ kind: 'advised', advised })),
          ]
        : []),
    ]
  }

  /** Records that a project's checks may have gone down, recovered or been deleted, and that its alerts and advice may have changed. */
  changeChecks(projectId: string): void {
    this.#down.change(projectId)
    this.#undelivered.change(projectId)
    this.#advised.change(projectId)
  }

  changeAdvice(projectId: string): void {
    this.#advised.change(projectId)
  }

  changeAlerts(projectId: string): void {
    this.#undelivered.change(projectId)
  }

  changeAll(): void {
    this.#down.changeAll()
    this.#undelivered.changeAll()
    this.#advised.changeAll()
  }

  /** Rereads the numbers that may have changed, and sends those that have. */
  async update(): Promise<void> {
    await this.#down.update()
    await this.#undelivered.update()
    await this.#advised.update()
  }
}
