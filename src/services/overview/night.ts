/** A night over all projects that a person may see. */
import type { Person, PersonActor } from '../../domain/actor.ts'
import { type Night, nightOfRows } from '../../domain/night/night.ts'
import type { NightRow } from '../../domain/night/row.ts'
import { type NightSentence, nightSentence } from '../../domain/night/sentence.ts'
import type { NightWindow } from '../../domain/night/window.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Instant } from '../../lib/time.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { listPersonActors } from '../projects/members.ts'
import type { NightRows } from './night-rows.ts'

export interface NightPlace {
  readonly actor: PersonActor
  /** false: its checks or their logs could not be read */
  readonly isRead: boolean
}

export interface ReadNight {
  readonly night: Night<NightPlace>
  readonly sentence: NightSentence
  readonly projects: number
  readonly checks: number
  /** milliseconds since 1970: how far back the logs reach that do not reach back to the night; null when all do */
  readonly reachesTo: number | null
}

export type NightDeps = Pick<Deps, 'store' | 'eventLoop' | 'stopwatch' | 'log'> & { readonly nights: NightRows }

/** A ping waits no longer than for one of these. */
const STEP_SECONDS = 0.005

/** @param tz of the reader */
export async function readNight(
  deps: NightDeps,
  person: Person,
  window: NightWindow,
  tz: string,
  now: Instant,
): Promise<ReadNight> {
  const actors = await listPersonActors(deps, person)
  const places: ReadPlace[] = []
  for (const actor of actors) places.push(await readPlace(deps, actor, window, now))
  const night = await deps.eventLoop.step(async () => nightOfRows(places, window, now.epochMilliseconds))
  const outage = await deps.store.server.findOutage()
  const away = outage && { from: outage.from.epochMilliseconds, until: outage.until.epochMilliseconds }
  const reaches = places.flatMap(({ reachesTo }) => (reachesTo === null ? [] : [reachesTo]))
  return {
    night,
    sentence: nightSentence(night, away, tz),
    projects: actors.length,
    checks: places.reduce((sum, { rows }) => sum + rows.length, 0),
    reachesTo: reaches.length === 0 ? null : Math.min(...reaches),
  }
}

interface ReadPlace {
  readonly place: NightPlace
  readonly rows: readonly NightRow[]
  readonly reachesTo: number | null
}

/** One project that can't be read must not hide the others. */
async function readPlace(deps: NightDeps, actor: PersonActor, window: NightWindow, now: Instant): Promise<ReadPlace> {
  try {
    return await readRows(deps, actor, window, now)
  } catch (error) {
    deps.log('error', 'the night of a project could not be read', {
      project: actor.project.id,
      error: messageOf(error),
    })
    return { place: { actor, isRead: false }, rows: [], reachesTo: null }
  }
}

async function readRows(deps: NightDeps, actor: PersonActor, window: NightWindow, now: Instant): Promise<ReadPlace> {
  const { nights, eventLoop, stopwatch } = deps
  const { pingLogLimit } = actor.project
  const rows: NightRow[] = []
  let reachesTo: number | null = null
  for await (const page of listChecks(deps, actor, {})) {
    const left = page.values()
    let next = left.next()
    while (!next.done) {
      await eventLoop.step(async () => {
        const beganAt = stopwatch()
        for (; !next.done && stopwatch() - beganAt < STEP_SECONDS; next = left.next()) {
          const { check } = next.value
          const read = await nights.get(check, pingLogLimit, window, now)
          rows.push(read.row)
          if (read.reachesTo !== null) reachesTo = Math.min(reachesTo ?? read.reachesTo, read.reachesTo)
        }
      })
    }
  }
  return { place: { actor, isRead: true }, rows, reachesTo }
}
