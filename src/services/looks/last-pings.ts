/** Reads the last pings of all of a project's checks. This takes a long time for a large project, so it is done rarely. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { LastPing } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

export interface LastPings {
  /** when the pings were read; later pings are missing */
  readonly readAt: Instant
  /** pings in chronological order */
  readonly pings: readonly LastPing[]
}

/** Cache lifetime of the pings, in seconds. They are used to advise that two checks belong to the same job, which is not urgent. */
const KEPT_SECONDS = 600

/** Reads the pings in small batches, unless they have been read recently. */
export class LastPingsReader {
  readonly #deps: Pick<Deps, 'store' | 'eventLoop'>
  readonly #known = new Map<string, LastPings>()

  constructor(deps: Pick<Deps, 'store' | 'eventLoop'>) {
    this.#deps = deps
  }

  async read(projectId: string, now: Instant): Promise<LastPings> {
    for (const [id, { readAt }] of this.#known) {
      // The clock may have been set back.
      if (isBefore(addSeconds(readAt, KEPT_SECONDS), now) || isBefore(now, readAt)) this.#known.delete(id)
    }
    const found = this.#known.get(projectId) ?? { readAt: now, pings: await this.#readAll(projectId) }
    this.#known.set(projectId, found)
    return found
  }

  async #readAll(projectId: string): Promise<readonly LastPing[]> {
    const { store, eventLoop } = this.#deps
    const all: LastPing[] = []
    const read = (after: Parameters<typeof store.advice.listLastPings>[1]) => {
      return eventLoop.step(() => store.advice.listLastPings(projectId, after))
    }
    for await (const page of readPages(read)) all.push(...page)
    return all.sort((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds)
  }
}

const TOGETHER_MS = 2_000
/** Maximum number of other checks to compare with. There may be many others, because many jobs begin at midnight. */
const OTHERS_READ = 3

/**
 * Returns the other checks that were pinged at about the same time, nearest first.
 * @param times the times at which this check was pinged, oldest first; only the last one before the other checks were read is used
 */
export function pingedAbout(
  { readAt, pings }: LastPings,
  times: readonly number[],
  otherThan: string,
): readonly LastPing[] {
  const at = times.findLast((time) => time <= readAt.epochMilliseconds)
  return at === undefined ? [] : nearest(pings, at).filter(({ checkId }) => checkId !== otherThan)
}

/** @param pings in chronological order */
function nearest(pings: readonly LastPing[], at: number): readonly LastPing[] {
  let [low, high] = [0, pings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pings[middle]?.at.epochMilliseconds ?? 0) < at - TOGETHER_MS) low = middle + 1
    else high = middle
  }
  const distance = (ping: LastPing) => Math.abs(ping.at.epochMilliseconds - at)
  const found: LastPing[] = []
  for (let index = low; index < pings.length; index++) {
    const ping = pings[index]
    if (!ping || ping.at.epochMilliseconds > at + TOGETHER_MS) break
    found.push(ping)
  }
  // The check itself is among these pings.
  return found.toSorted((a, b) => distance(a) - distance(b)).slice(0, OTHERS_READ + 1)
}
