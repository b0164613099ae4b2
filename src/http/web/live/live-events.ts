/** The live events for one reader. A subscription reports updates, and the page's view renders them. */
import type { LiveUpdate, Subscription } from '../../../services/common/ports/live.ts'
import { approximately } from '../parts/words/delivery-words.ts'
import type { ServerEvent } from '../route.ts'
import { eventBytes } from '../stream.ts'
import { jsonEvent, type LiveView, RELOAD, RELOAD_FOR_RIGHTS } from './view.ts'

interface LiveEventsOptions {
  readonly view: LiveView
  /** slugs of the projects in the reader's menu, keyed by project id */
  readonly slugs: ReadonlyMap<string, string>
  /** true if the page was built for rights that the reader no longer has, so that it must be reloaded */
  readonly isForOthers: boolean
}

export class LiveEvents implements AsyncIterableIterator<Uint8Array> {
  readonly #subscription: Subscription
  readonly #options: LiveEventsOptions
  /** number of down checks, by project slug */
  readonly #down = new Map<string, number>()
  #mustRenderAll: boolean
  #mustReload: boolean
  /** resolves when the next message may be sent */
  #rest: Promise<unknown> = Promise.resolve()

  constructor(subscription: Subscription, options: LiveEventsOptions) {
    this.#subscription = subscription
    this.#options = options
    this.#mustRenderAll = options.view.renderAll !== null
    this.#mustReload = options.isForOthers
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const bytes = await this.#next()
      if (bytes === null) return { done: true, value: undefined }
      if (bytes.length > 0) return { done: false, value: bytes }
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#subscription.close()
    return { done: true, value: undefined }
  }

  /** @returns the next message; null at the end of the stream */
  async #next(): Promise<Uint8Array | null> {
    if (this.#mustReload) {
      this.#mustReload = false
      return eventBytes([RELOAD_FOR_RIGHTS])
    }
    const { renderAll, pauseMs = 0 } = this.#options.view
    if (this.#mustRenderAll && renderAll) {
      this.#mustRenderAll = false
      return eventBytes(await renderAll())
    }
    const update = await this.#subscription.next()
    if (update?.kind !== 'project' || pauseMs === 0) return update && this.#render(update)
    // Updates that arrive during this wait are included, because the view reads the current state.
    await this.#rest
    this.#rest = Bun.sleep(pauseMs)
    return this.#render(this.#subscription.takeNewest() ?? update)
  }

  async #render(update: LiveUpdate): Promise<Uint8Array> {
    const { view, slugs } = this.#options
    switch (update.kind) {
      case 'project':
        return update.once(view.key, async () => {
          const { position, hasTurned, isBehind } = update
          const events: ServerEvent[] = [...(await view.render(update))]
          if (hasTurned) events.push({ event: isBehind ? 'stale' : 'fresh', data: '' })
          return eventBytes(position === null ? events : withId(events, position))
        })
      case 'down': {
        for (const [id, down] of update.down) this.#down.set(slugs.get(id) ?? '', down)
        const all = [...this.#down.values()].reduce((sum, down) => sum + down, 0)
        return eventBytes([jsonEvent('down', { all, projects: Object.fromEntries(this.#down) })])
      }
      case 'undelivered': {
        const told = [...update.undelivered].map(([id, number]) => [slugs.get(id) ?? '', approximately(number)])
        return eventBytes([jsonEvent('undelivered', Object.fromEntries(told))])
      }
      case 'advised': {
        const told = [...update.advised].map(([id, advised]) => [slugs.get(id) ?? '', advised])
        return eventBytes([jsonEvent('advised', Object.fromEntries(told))])
      }
      case 'aged':
        return eventBytes((await view.renderAged?.()) ?? [])
      case 'lost':
        this.#mustRenderAll = view.renderAll !== null
        return eventBytes(this.#mustRenderAll ? [] : [{ event: 'stale', data: '' }])
      case 'unknown':
        return eventBytes([RELOAD])
    }
  }
}

/** Adds the reader's position to the last event, as its id. */
function withId(events: readonly ServerEvent[], id: string): readonly ServerEvent[] {
  const last = events.at(-1)
  return last ? [...events.slice(0, -1), { ...last, id }] : []
}
