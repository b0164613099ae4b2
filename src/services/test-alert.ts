/** An alert about a check that does not exist: shows whether a channel's settings give a message at all. */
import { newCheck } from '../domain/check.ts'
import type { Project } from '../domain/project.ts'
import { addSeconds } from '../domain/time.ts'
import type { Alert } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

const DAY_SECONDS = 86_400

/** As the peer tests a channel: a check named TEST with 42 pings, the last one a day ago, that goes `newStatus` now. */
export function testAlert(
  { now, random, site }: Pick<Deps, 'now' | 'random' | 'site'>,
  project: Project,
  channelId: string,
  newStatus: 'up' | 'down',
): Alert {
  const at = now()
  const identity = { id: random.uuid(), projectId: project.id, badgeKey: random.uuid(), createdAt: at }
  const check = { ...newCheck(identity), name: 'TEST', status: newStatus, nPings: 42, nFlips: 1 }
  const oldStatus = newStatus === 'down' ? 'up' : 'down'
  const reason = newStatus === 'down' ? 'timeout' : ''
  return {
    delivery: {
      id: random.uuid(),
      checkId: check.id,
      flipN: 1,
      channelId,
      state: 'pending',
      attempts: 1,
      createdAt: at,
    },
    check: { ...check, lastPingAt: addSeconds(at, -DAY_SECONDS) },
    channelIds: [channelId],
    flip: { checkId: check.id, n: 1, createdAt: at, oldStatus, newStatus, reason },
    lastPing: null,
    links: site.links,
    siteName: site.name,
    now: at,
  }
}
