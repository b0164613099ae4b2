/** `/p/<project>/checks/<check>`: a check's page and its buttons. */

import type { PersonActor } from '../../../../domain/actor.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { type BulkOutcome, changeChecks } from '../../../../services/checks/bulk.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { takeIncident } from '../../../../services/incidents/incidents.ts'
import { readStanding } from '../../../../services/incidents/standing.ts'
import { lookIfStale } from '../../../../services/looks/fresh-look.ts'
import { type CheckPage, readCheckPage } from '../../../../services/overview/check-page.ts'
import { sendPing } from '../../../../services/pings/ping-now.ts'
import { checkPath, incidentPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { LINES_PARAMETER } from '../../parts/advice/advice-acts.ts'
import { mailDomainNote, pingNote } from '../../parts/reach-note.ts'
import { chooseSnippet } from '../../parts/snippets.ts'
import type { ToastCode } from '../../parts/toast.ts'
import { bdi } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { answeredNote } from '../advice/answered.ts'
import { incidentAnswer } from '../incident-answer.ts'
import { projectRoute } from '../new-route.ts'
import { ACTIONS, actionButtons } from './actions.ts'
import { fixLinesSection } from './advice.ts'
import { alertsSection } from './alerts.ts'
import { type CheckContext, checkContext } from './context.ts'
import { isPingNeeded, type PingCard, pingSection } from './ping.ts'
import { chartQuery, readChartView, rhythmOf } from './rhythm/chart-view.ts'
import { changingSections } from './sections.ts'

const PATH = 'checks/:check'

export function checkRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PATH, 'read', (visit) => show(deps, visit)),
    projectRoute('POST', PATH, 'write', (visit) => act(deps, visit)),
  ]
}

async function show(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, params, account, url } = visit
  const found = await getCheckByPublicId(deps, actor, params.check ?? '')
  await lookIfStale(deps, actor, found.check)
  const rhythm = rhythmOf(readChartView(url.searchParams))
  const page = await readCheckPage(deps, actor, params.check ?? '', account.tz, rhythm)
  const { check } = page.view
  const context = checkContext(visit, page.now, check.publicId)
  const secrets = {
    pingEndpoint: deps.site.links.pingEndpoint,
    pingUrl: `${deps.site.links.pingEndpoint}${check.id}`,
    address: deps.place.mailDomain && `${check.id}@${deps.place.mailDomain}`,
    snippet: chooseSnippet(url.searchParams.get('snippet')),
    siteRoot: deps.site.links.siteRoot,
    lines: url.searchParams.get(LINES_PARAMETER),
    reach: {
      ping: pingNote(deps.site.links, account.isAdministrator),
      mail: deps.place.mailDomain === null ? null : mailDomainNote(deps.place.mailDomain, account.isAdministrator),
    },
  }
  const answered = await answeredNote(deps, visit, checkPath(actor.project.slug, check.publicId))
  return checkPage(page, context, context.canWrite ? secrets : null, answered)
}

/** @throws Refusal `not-found`; `invalid` for an unknown action */
async function act(deps: PageDeps, { actor, params, form, client }: ProjectVisit): Promise<PageAnswer> {
  const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
  const to = checkPath(actor.project.slug, check.publicId)
  switch (form.text('action')) {
    case ACTIONS.ping.value:
      await sendPing(deps, actor, check, client)
      return { kind: 'redirect', to, done: 'ping-sent' }
    case ACTIONS.take.value:
      return takeOpen(deps, actor, check)
    case ACTIONS.pause.value:
      return changed(to, 'check-paused', await changeChecks(deps, actor, [check.publicId], { kind: 'pause' }))
    case ACTIONS.resume.value:
      return changed(to, 'check-resumed', await changeChecks(deps, actor, [check.publicId], { kind: 'resume' }))
    case ACTIONS.watch.value:
      return changed(to, 'check-watched', await changeChecks(deps, actor, [check.publicId], { kind: 'watch' }))
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

/**
 * Takes the incident and redirects to its page, where the user can add a note. If another user has already taken it, redirects to the page
 * for taking it over.
 */
async function takeOpen(deps: PageDeps, actor: PersonActor, check: Check): Promise<PageAnswer> {
  const { slug } = actor.project
  const { incident } = await readStanding(deps, actor, check)
  if (incident === null) return { kind: 'redirect', to: checkPath(slug, check.publicId), done: 'incident-over' }
  const named = { check, n: incident.n }
  return incidentAnswer(
    (page) => incidentPath(slug, check.publicId, incident.n, page),
    'incident-taken',
    () => takeIncident(deps, actor, named, { note: '', until: null, takesOver: false }),
  )
}

/** Redirects after a change. Doesn't show a toast if nothing changed. */
function changed(to: string, code: ToastCode, { undo }: BulkOutcome): PageAnswer {
  return undo === null ? { kind: 'redirect', to } : { kind: 'redirect', to, done: { code, undo } }
}

/** The addresses that accept pings for the check, and details for displaying them. */
interface PingSecrets extends Pick<PingCard, 'pingUrl' | 'address' | 'snippet' | 'siteRoot' | 'reach'> {
  readonly pingEndpoint: string
  /** name of the set of lines for the job, from the URL; null if the URL names none */
  readonly lines: string | null
}

/** @param secrets the check's ping addresses; null if the reader may not see them */
function checkPage(
  page: CheckPage,
  context: CheckContext,
  secrets: PingSecrets | null,
  answered: Html | null,
): FrameContent {
  const { check } = page.view
  const { href, slug } = context
  const shownQuery = chartQuery(context.view)
  const checks = projectPath(slug, 'checks')
  const { now, changed, chart, runs, days, schedule, about } = changingSections(page, context)
  const needsPing = isPingNeeded(check, page.now)
  const newest = page.pings[0] ?? null
  const ping =
    secrets &&
    pingSection({ ...secrets, check, newest, isOpen: needsPing, reference: href('/docs/api'), now: page.now })
  return {
    layout: 'frame',
    title: check.name === '' ? 'Check without a name' : check.name,
    ...(check.name === '' ? { heading: html`<span class="muted">no name</span>` } : {}),
    live: projectPath(slug, `live?view=check&check=${check.publicId}${shownQuery && `&${shownQuery}`}`),
    crumbs: [{ path: checks, text: 'Checks' }],
    ...(check.tags.trim() === '' ? {} : { intro: tags(check.tags, href(checks)) }),
    ...(context.canWrite ? { actions: actionButtons(check, context) } : {}),
    body: html`<div class="stack">${answered}${now}${secrets && fixLinesSection(secrets.lines, { ...secrets, slug: check.slug })}
<div class="cols"><div class="stack">${changed}
${chart}
${runs}
${days}</div>
<div class="stack">${needsPing && ping}
${alertsSection(page, context)}
${schedule}
${!needsPing && ping}
${about}</div></div>
${zoneLine(context.tz)}</div>${context.view.chart === 'when' && html`<script src="${href.asset('rhythm.js')}" defer></script>`}`,
  }
}

function tags(text: string, checksHref: string): Html {
  const links = splitTags(text).map(
    (tag) => html`<a class="tag" href="${checksHref}?tag=${encodeURIComponent(tag.toWellFormed())}">${bdi(tag)}</a>`,
  )
  return html`<span class="tags">${links}</span>`
}
