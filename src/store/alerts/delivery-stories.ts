/** Loads the data that a delivery's message may contain. */
import type { Advice } from '../../domain/advice/advice.ts'
import type { Delivery, DeliveryOrder } from '../../domain/alert/delivery.ts'
import type { LastPing } from '../../domain/alert/flip-context.ts'
import { adviceOfAlert, EQUAL_ALERTS } from '../../domain/alert/repeated-alert.ts'
import { NOTHING_UNCOUNTED, type Uncounted } from '../../domain/cause/uncounted.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'
import { findAdvice } from '../advice/looks.ts'
import { findCheck, findSiblings } from '../checks/checks.ts'
import { findPreviousFlip, findToldDowns, isNewestFlip } from '../checks/flips.ts'
import { findLastPing } from '../pings/log.ts'
import { listRefused, listUncounted } from '../pings/uncounted.ts'
import { findProject } from '../projects/projects.ts'
import type { Sql } from '../sql/database.ts'
import { findIncidentStory, findToldEvent } from './incident-stories.ts'

/** Last pings by check and flip. A flip's ping is loaded once for all channels. */
export type LastPings = Map<string, Promise<LastPing | null>>

/** @returns null if the check or the flip is missing, which happens only in a damaged database */
export async function loadOrder(
  sql: Sql,
  delivery: Delivery,
  channel: Channel,
  at: { readonly lastPings: LastPings; readonly now: Instant },
): Promise<DeliveryOrder | null> {
  const story = await loadStory(sql, delivery, at)
  return story && { delivery, channel, ...story }
}

type Story = Omit<DeliveryOrder, 'delivery' | 'channel'>

/** Returns the data about an event that a message contains; null if the event or its check does not exist. */
export function findStory(sql: Sql, named: Pick<Delivery, 'checkId' | 'eventN'>, now: Instant): Promise<Story | null> {
  return loadStory(sql, named, { lastPings: new Map(), now })
}

async function loadStory(
  sql: Sql,
  named: Pick<Delivery, 'checkId' | 'eventN'>,
  { lastPings, now }: { readonly lastPings: LastPings; readonly now: Instant },
): Promise<Story | null> {
  const [found, told] = await Promise.all([findCheck(sql, named.checkId), findToldEvent(sql, named)])
  if (!found || !told) return null
  const { flip, taken } = told
  const [previousFlip, isNewest, project, lastPing, uncounted, siblings, advice] = await Promise.all([
    findPreviousFlip(sql, flip.checkId, flip.n),
    isNewestFlip(sql, flip.checkId, flip.n),
    findProject(sql, found.check.projectId),
    lastPingBefore(sql, flip, lastPings),
    uncountedAt(sql, flip),
    findSiblings(sql, found.check),
    adviceAbout(sql, flip, now),
  ])
  const incident = await findIncidentStory(sql, found.check, flip, previousFlip)
  return {
    check: { ...found.check, status: flip.newStatus },
    channelIds: found.channelIds,
    flip,
    previousFlip,
    isNewest,
    incident,
    taken,
    lastPing,
    uncounted,
    projectName: project?.name ?? '',
    projectSlug: project?.slug ?? null,
    projectTz: project?.tz ?? null,
    siblings,
    advice,
  }
}

/** Returns the advice to mention in the message; null if there is none, as in most alerts. */
async function adviceAbout(sql: Sql, flip: Flip, now: Instant): Promise<Advice | null> {
  const stored = flip.newStatus === 'down' ? await findAdvice(sql, flip.checkId) : null
  if (stored === null || stored.kind === null) return null
  return adviceOfAlert(await findToldDowns(sql, flip, EQUAL_ALERTS), stored, now.epochMilliseconds)
}

/** Returns the recent pings that did not count. They matter only if the check went down because of a timeout. */
async function uncountedAt(sql: Sql, { checkId, reason, createdAt }: Flip): Promise<Uncounted> {
  if (reason !== 'timeout') return NOTHING_UNCOUNTED
  const [pings, refused] = await Promise.all([
    listUncounted(sql, [checkId], createdAt),
    listRefused(sql, [checkId], createdAt),
  ])
  return { pings: pings.get(checkId) ?? null, refused: refused.get(checkId) ?? null }
}

function lastPingBefore(sql: Sql, flip: Flip, lastPings: LastPings): Promise<LastPing | null> {
  const key = `${flip.checkId} ${flip.n}`
  const known = lastPings.get(key)
  if (known) return known
  const ping = findLastPing(sql, flip.checkId, flip.createdAt)
  lastPings.set(key, ping)
  return ping
}
