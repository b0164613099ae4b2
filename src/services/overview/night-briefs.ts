/**
 * Summaries of nights, for the overview and for walls. Readers of the same projects share a summary, which is read at most once a minute.
 * If a night has many checks, the page does not wait for the summary. It shows the previous summary or none, and a live update adds the new
 * summary.
 */
import type { Actor } from '../../domain/actor.ts'
import { briefOf, type NightBrief, type ShortRows, shortRows } from '../../domain/night/brief.ts'
import { type Coming, comingRuns } from '../../domain/night/coming.ts'
import type { Night } from '../../domain/night/night.ts'
import type { NightSentence } from '../../domain/night/sentence.ts'
import { latestHours, type NightWindow, nightOf, presentEvening } from '../../domain/night/window.ts'
import type { Project } from '../../domain/project.ts'
import { MinuteCache } from '../../lib/caches/minute-cache.ts'
import type { Deps } from '../common/deps.ts'
import { type NightDeps, readNightOf } from './night.ts'

/** The night that the overview shows. */
export interface OverviewNight {
  readonly brief: NightBrief<Project>
  readonly sentence: NightSentence
  readonly coming: readonly Coming<Project>[]
  /** number of projects whose checks or logs could not be read */
  readonly unread: number
}

/** A project's last few hours, for a wall. */
export interface WallNight extends ShortRows {
  readonly window: NightWindow
  /** time up to which the rows are drawn, in milliseconds since 1970 */
  readonly now: number
  readonly sentence: NightSentence
  /** number of checks that were due and run at most once an hour */
  readonly due: number
  /** number of monitored checks that were not expected to run */
  readonly notDue: number
}

type NightBriefsDeps = NightDeps & Pick<Deps, 'now' | 'background'>

/** Maximum number of checks for which a page waits until the night has been read. Reading so few checks takes milliseconds. */
const FEW = 100
/**
 * Maximum number of checks in a night. The cache cannot hold more rows, so a night with more checks would have to be read from scratch each
 * time.
 */
const MANY = 5_000
/** Number of rows on a wall: two columns that are readable from across the room. */
const WALL_ROWS = 24
/** Maximum number of cached summaries. Each takes a few dozen kilobytes. Readers of the same projects in the same zone share a summary. */
const KEPT = 200

export class NightBriefs {
  readonly #deps: NightBriefsDeps
  readonly #overviews = new MinuteCache<OverviewNight>(KEPT)
  readonly #walls = new MinuteCache<WallNight>(KEPT)

  constructor(deps: NightBriefsDeps) {
    this.#deps = deps
  }

  /**
   * @param actors the reader's rights in each project
   * @param checks number of checks in all of these projects
   * @param tz IANA name of the reader's zone
   * @param waits true to wait for the night even if it has many checks
   * @returns `reading` if the page is shown without the night for now; `too-many` if the night is not read
   */
  async ofProjects(
    actors: readonly Actor[],
    checks: number,
    tz: string,
    waits: boolean,
  ): Promise<OverviewNight | 'reading' | 'too-many'> {
    if (checks > MANY) return 'too-many'
    const now = this.#deps.now()
    const window = nightOf(presentEvening(now.epochMilliseconds, tz), tz)
    const key = [tz, window.from, ...actors.map(({ project }) => project.id)].join(' ')
    const read = async () => {
      const { night, sentence } = await readNightOf(this.#deps, actors, window, tz, now)
      const groups = night.groups.map((group) => ({ ...group, place: group.place.actor.project }))
      const ofProjects = { ...night, groups }
      const unread = night.groups.filter(({ place }) => !place.isRead).length
      return this.#deps.eventLoop.step(async () => ({
        brief: briefOf(ofProjects),
        sentence,
        coming: comingRuns(ofProjects),
        unread,
      }))
    }
    const found = this.#overviews.get(key, now.epochMilliseconds, read)
    if (waits || checks <= FEW) return found.fresh
    this.#leave(found.fresh)
    return found.kept ?? 'reading'
  }

  /** Like {@link ofProjects}, for a wall. */
  async ofWall(actor: Actor, checks: number, tz: string, waits: boolean): Promise<WallNight | 'reading' | 'too-many'> {
    if (checks > MANY) return 'too-many'
    const now = this.#deps.now()
    const window = latestHours(now.epochMilliseconds, tz)
    const key = [tz, window.from, actor.project.id].join(' ')
    const found = this.#walls.get(key, now.epochMilliseconds, async () => {
      const { night, sentence } = await readNightOf(this.#deps, [actor], window, tz, now)
      return this.#deps.eventLoop.step(async () => wallNight(night, sentence))
    })
    if (checks <= FEW || (waits && found.kept === null)) return found.fresh
    this.#leave(found.fresh)
    return found.kept ?? 'reading'
  }

  /** Lets a read continue after the page has stopped waiting for it. If the read fails, the next caller gets the error. */
  #leave(reading: Promise<unknown>): void {
    this.#deps.background.run(async () => {
      await reading.catch(() => {})
    })
  }
}

const NO_ROWS: ShortRows = { rows: [], moreTroubles: 0, moreCalm: { expected: 0, running: 0, toCome: 0 } }

function wallNight({ groups: [group], window, now, counts }: Night<unknown>, sentence: NightSentence): WallNight {
  const rows = group ? shortRows(group, WALL_ROWS) : NO_ROWS
  const notDue = group?.notDue.filter(({ check: { status } }) => status === 'up' || status === 'down').length ?? 0
  return { ...rows, window, now, sentence, due: counts.due, notDue }
}
