/** `/p/<project>/checks/<check>`: a check, how it is now, its last runs, its log, and what may be changed. */

import { splitTags } from '../../../../domain/check/tags.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { type BulkOutcome, changeChecks } from '../../../../services/checks/bulk.ts'
import { getCheckByPublicId, updateCheck } from '../../../../services/checks/checks.ts'
import { lookIfStale } from '../../../../services/looks/fresh-look.ts'
import { type CheckPage, readCheckPage } from '../../../../services/overview/check-page.ts'
import { sendPing } from '../../../../services/pings/ping-now.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { LINES_PARAMETER } from '../../parts/advice/advice-acts.ts'
import { readIntegrations } from '../../parts/forms/integration-switches.ts'
import { mailDomainNote, pingNote } from '../../parts/reach-note.ts'
import { chooseSnippet } from '../../parts/snippets.ts'
import type { ToastCode } from '../../parts/toast.ts'
import { bdi } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { answeredNote } from '../advice/answered.ts'
import { CHECK_FORM_LIMIT } from '../check-forms/check-form.ts'
import { projectRoute } from '../new-route.ts'
import { ACTIONS, actionButtons } from './actions.ts'
import { fixLinesSection } from './advice.ts'
import { alertsSection } from './alerts.ts'
import { type CheckContext, checkContext } from './context.ts'
import { type PingCard, pingSection } from './ping.ts'
import { chartQuery, readChartView, rhythmOf } from './rhythm/chart-view.ts'
import { changingSections } from './sections.ts'

const PATH = 'checks/:check'

export function checkRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PATH, 'read', (visit) => show(deps, visit)),
    projectRoute('POST', PATH, 'write', (visit) => act(deps, visit)),
    projectRoute('POST', `${PATH}/integrations`, 'write', (visit) => assign(deps, visit), {
      formLimit: CHECK_FORM_LIMIT,
    }),
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
    lines: url.searchParams.get(LINES_PARAMETER),
    reach: {
      ping: pingNote(deps.site.links, account.isAdministrator),
      mail: deps.place.mailDomain === null ? null : mailDomainNote(deps.place.mailDomain, account.isAdministrator),
    },
  }
  const answered = await answeredNote(deps, visit, checkPath(actor.project.slug, check.publicId))
  return checkPage(page, context, context.canWrite ? secrets : null, answered)
}

/** @throws Refusal `not-found`; `invalid` for another action */
async function act(deps: PageDeps, { actor, params, form, client }: ProjectVisit): Promise<PageAnswer> {
  const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
  const to = checkPath(actor.project.slug, check.publicId)
  switch (form.text('action')) {
    case ACTIONS.ping.value:
      await sendPing(deps, actor, check, client)
      return { kind: 'redirect', to, done: 'ping-sent' }
    case ACTIONS.pause.value:
      return changed(to, 'check-paused', await changeChecks(deps, actor, [check.publicId], { kind: 'pause' }))
    case ACTIONS.resume.value:
      return changed(to, 'check-resumed', await changeChecks(deps, actor, [check.publicId], { kind: 'resume' }))
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

/** Says nothing when the check was so already. */
function changed(to: string, code: ToastCode, { undo }: BulkOutcome): PageAnswer {
  return undo === null ? { kind: 'redirect', to } : { kind: 'redirect', to, done: { code, undo } }
}

/** The switches that were on are all that get the alerts. */
async function assign(deps: PageDeps, { actor, params, form }: ProjectVisit): Promise<PageAnswer> {
  const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
  const channels = await listChannels(deps, actor)
  const ids = readIntegrations(form, channels)
  await updateCheck(deps, actor, check, { channels: ids.join(',') }, false)
  return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'integrations-saved' }
}

/** Addresses that allow pings, and how they are shown. */
interface PingSecrets extends Pick<PingCard, 'pingUrl' | 'address' | 'snippet' | 'reach'> {
  readonly pingEndpoint: string
  /** the lines for the job that the address names; null: none */
  readonly lines: string | null
}

/** @param secrets null for readers */
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
  const { now, changed, runs, latest, days, schedule, about } = changingSections(page, context)
  const ping = secrets && pingSection({ ...secrets, check, reference: href('/docs/api'), now: page.now })
  return {
    layout: 'frame',
    title: check.name === '' ? 'Check without a name' : check.name,
    ...(check.name === '' ? { heading: html`<span class="muted">no name</span>` } : {}),
    live: projectPath(slug, `live?view=check&check=${check.publicId}${shownQuery && `&${shownQuery}`}`),
    crumbs: [{ path: checks, text: 'Checks' }],
    ...(check.tags.trim() === '' ? {} : { intro: tags(check.tags, href(checks)) }),
    ...(context.canWrite ? { actions: actionButtons(check.status, context) } : {}),
    body: html`<div class="stack">${answered}${now}${secrets && fixLinesSection(secrets.lines, { ...secrets, slug: check.slug })}
<div class="cols"><div class="stack">${changed}
${runs}
${latest}
${days}</div>
<div class="stack">${ping}
${schedule}
${alertsSection(page, context)}
${about}</div></div>
${zoneLine(context.tz)}</div>`,
  }
}

function tags(text: string, checksHref: string): Html {
  const links = splitTags(text).map(
    (tag) => html`<a class="tag" href="${checksHref}?tag=${encodeURIComponent(tag.toWellFormed())}">${bdi(tag)}</a>`,
  )
  return html`<span class="tags">${links}</span>`
}
