/** Builds alerts for flips and for test messages. A transport builds a message from an alert. */

import type { DeliveryOrder } from '../../domain/alert/delivery.ts'
import type { ExplainedFlip, LastPing } from '../../domain/alert/flip-context.ts'
import { describeFlip, type Notification } from '../../domain/alert/notification.ts'
import { NOTHING_UNCOUNTED } from '../../domain/cause/uncounted.ts'
import { newCheck } from '../../domain/check/check.ts'
import { checkPageUrl, type Links } from '../../domain/check/representation.ts'
import { shortIncidentUrl } from '../../domain/incident/short-url.ts'
import { unsubscribeUrl } from '../../domain/mail/links.ts'
import type { Project } from '../../domain/project.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { Alert } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { newIdentity } from '../common/identity.ts'
import { causeOfPing } from '../pings/failure-cause.ts'
import type { CompareLastPing } from './shared-comparisons.ts'

type Needs = Pick<Deps, 'now' | 'site' | 'operator'>

/** Builds the alert for a stored check's flip. Without `compareLastPing`, the output is not compared with an earlier run's output. */
export async function toAlert(
  deps: Needs & Pick<Deps, 'eventLoop'> & { readonly compareLastPing: CompareLastPing | null },
  story: Omit<DeliveryOrder, 'channel'>,
): Promise<Alert> {
  const { check, lastPing } = story
  const begin = lastPing && { ...lastPing, start: lastPing.body, size: lastPing.bodySize }
  const cause = begin && (await causeOfPing(check, begin, deps.eventLoop))
  const hasOutput = story.flip.reason === 'fail' && lastPing?.kind === 'fail' && lastPing.bodySize > 0
  const change = hasOutput && deps.compareLastPing ? await deps.compareLastPing(lastPing) : null
  return compose(deps, { ...story, cause, change }, pagesOf(story, deps.site.links))
}

type Pages = Pick<Notification, 'link' | 'incidentLink' | 'alertsLink'>

function pagesOf(
  { check, flip, isNewest, incident, projectSlug }: Omit<DeliveryOrder, 'channel'>,
  links: Links,
): Pages {
  const isOpen = incident !== null && flip.newStatus === 'down' && isNewest
  return {
    link: checkPageUrl(check.id, links),
    incidentLink: isOpen ? shortIncidentUrl(check, incident.n, links) : null,
    alertsLink: projectSlug === null ? null : `${links.siteRoot}/p/${projectSlug}/alerts`,
  }
}

type Story = Omit<DeliveryOrder, 'channel'> & Pick<ExplainedFlip, 'cause' | 'change'>

function compose({ now, site, operator }: Needs, story: Story, pages: Pages): Alert {
  const at = now()
  return {
    ...story,
    message: describeFlip(story, pages, at),
    operator,
    links: site.links,
    siteName: site.name,
    unsubscribeUrl: unsubscribeUrl(site.links, story.delivery.channelId, 'alerts', site.secret),
    now: at,
  }
}

/** Number of pings that a test message reports for the test check. Healthchecks uses the same number. */
const TEST_PINGS = 42

/**
 * Builds an alert about a check named TEST whose status changes to `newStatus` now. The check goes down because its grace time has
 * expired, or comes up because of a ping. Before that, it received one ping per period.
 */
export function testAlert(
  deps: Needs & Pick<Deps, 'random'>,
  project: Project,
  channelId: string,
  newStatus: 'up' | 'down',
): Alert {
  const { now, random } = deps
  const at = now()
  const fresh = newCheck({ ...newIdentity(random), projectId: project.id, createdAt: at })
  const { timeoutSeconds, graceSeconds } = fresh
  const lastPingAt = newStatus === 'down' ? addSeconds(at, -timeoutSeconds - graceSeconds) : at
  const createdAt = addSeconds(lastPingAt, -TEST_PINGS * timeoutSeconds)
  const check = { ...fresh, name: 'TEST', status: newStatus, createdAt, nPings: TEST_PINGS, nEvents: 1, lastPingAt }
  const oldStatus = newStatus === 'down' ? 'up' : 'down'
  const reason = newStatus === 'down' ? 'timeout' : ''
  const delivery = { id: random.uuid(), checkId: check.id, eventN: 1, channelId, attempts: 1, createdAt: at }
  const story: Story = {
    delivery: { ...delivery, state: 'pending', heldUntil: null },
    check,
    channelIds: [channelId],
    flip: { checkId: check.id, n: 1, createdAt: at, oldStatus, newStatus, reason },
    previousFlip: null,
    isNewest: true,
    incident: null,
    taken: null,
    lastPing: testPing(check.id, lastPingAt),
    uncounted: NOTHING_UNCOUNTED,
    cause: null,
    change: null,
    projectName: project.name,
    projectSlug: project.slug,
    projectTz: project.tz,
    siblings: { exist: false, downCount: 0, down: [], counts: null },
    advice: null,
  }
  return compose(deps, story, { link: null, incidentLink: null, alertsLink: null })
}

function testPing(checkId: string, receivedAt: Instant): LastPing {
  const from = { scheme: 'https', method: 'GET', ua: '', remoteAddr: null }
  const noBody = { body: null, bodySize: 0, bodyEnd: null, droppedBytes: null, contentType: null }
  return {
    checkId,
    n: TEST_PINGS,
    receivedAt,
    kind: 'success',
    ignoredBy: null,
    exitStatus: null,
    occurredAt: null,
    rid: null,
    ...from,
    ...noBody,
  }
}
