/** `/p/<project>/first-ping`: lines around a job, and what happens when it has run. Goes on by itself. */
import type { Check } from '../../../domain/check/check.ts'
import type { Sentence } from '../../../domain/check/sentence.ts'
import { expectedIfReadable, nextPingAt } from '../../../domain/check/status.ts'
import { uncountedSentences } from '../../../domain/check/uncounted.ts'
import { periodInWords } from '../../../domain/duration.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { Instant } from '../../../lib/time.ts'
import type { Deps } from '../../../services/deps.ts'
import { createFirstCheck, findFirstCheck, sendFirstPing } from '../../../services/first-ping.ts'
import type { PingReceiver } from '../../../services/pings.ts'
import { readUncounted } from '../../../services/uncounted.ts'
import { type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { linkButton, submit } from '../parts/buttons.ts'
import { noChecks } from '../parts/empty.ts'
import { card } from '../parts/lists.ts'
import { note } from '../parts/notes.ts'
import { sentenceHtml } from '../parts/sentence.ts'
import { chooseSnippet, pingUrlField, type Snippet, snippetPicker } from '../parts/snippets.ts'
import { stateShape } from '../parts/states.ts'
import { bdi } from '../parts/text.ts'
import { exactTime } from '../parts/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../route.ts'

type FirstPingDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'transports' | 'log'> & {
  readonly pings: PingReceiver
}

const PATH = '/p/:project/first-ping'
const DAY_SECONDS = 86_400

export function firstPingRoutes(deps: FirstPingDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      access: 'project',
      right: 'write',
      cache: 'no-store',
      async answer({ actor, url, account, site }) {
        const first = await findFirstCheck(deps, actor)
        const path = projectPath(actor.project.slug, 'first-ping')
        const livePath = projectPath(actor.project.slug, 'live?view=first-ping')
        const { slug } = actor.project
        const [checksPath, integrationsPath] = [projectPath(slug, 'checks'), projectPath(slug, 'integrations')]
        const common = { href: site.href, path, livePath, checksPath, integrationsPath }
        if (first === null) return { kind: 'page', page: noCheckPage(common) }
        const { check } = first
        const now = deps.now()
        const uncountedOf = await readUncounted(deps, [check.id], [check.id], now)
        const uncounted = uncountedSentences(check, uncountedOf(check.id))
        const pingUrl = `${deps.site.links.pingEndpoint}${check.id}`
        const snippet = chooseSnippet(url.searchParams.get('snippet'))
        const isToldNobody = first.channelIds.length === 0
        const mayImport = account.isAdministrator
        const data = { ...common, mayImport, check, isToldNobody, pingUrl, snippet, uncounted, now, tz: account.tz }
        return { kind: 'page', page: firstPingPage(data) }
      },
    },
    {
      method: 'POST',
      path: PATH,
      access: 'project',
      right: 'write',
      cache: 'no-store',
      answer: (visit) => post(deps, visit),
    },
  ]
}

/** What the buttons ask for, each also when it is pressed again or is out of date. */
const MAKE = { name: 'action', value: 'make-check' } as const
const PING = { name: 'action', value: 'send-ping' } as const

/** @throws Refusal `invalid` for another action */
async function post(deps: FirstPingDeps, { actor, client, form }: ProjectVisit): Promise<PageAnswer> {
  const to = projectPath(actor.project.slug, 'first-ping')
  const action = form.text('action')
  if (action === PING.value) {
    const isSent = await sendFirstPing(deps, actor, client)
    return { kind: 'redirect', to, ...(isSent ? { done: 'ping-sent' } : {}) }
  }
  if (action !== MAKE.value) throw new Refusal('invalid', 'this form has no such action')
  await createFirstCheck(deps, actor)
  return { kind: 'redirect', to }
}

interface Common {
  readonly href: Href
  readonly path: string
  /** of its stream */
  readonly livePath: string
  readonly checksPath: string
  readonly integrationsPath: string
}

interface FirstPingData extends Common {
  /** true: an administrator reads it */
  readonly mayImport: boolean
  readonly check: Check
  /** true: no integration gets its alerts */
  readonly isToldNobody: boolean
  readonly pingUrl: string
  readonly snippet: Snippet
  /** what came and did not count; empty when nothing did */
  readonly uncounted: Sentence
  readonly now: Instant
  readonly tz: string
}

function noCheckPage({ href, path, checksPath }: Common): FrameContent {
  const button = html`<form method="post" action="${href(path)}">${submit({ text: 'Make the first check', look: 'primary', field: MAKE })}</form>`
  return {
    layout: 'frame',
    title: 'First ping',
    here: 'checks',
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: noChecks(button),
  }
}

function firstPingPage(data: FirstPingData): FrameContent {
  const { check, checksPath, href, isToldNobody, uncounted } = data
  const isWaiting = check.nPings === 0
  const came = uncounted.length > 0 && note('late', sentenceHtml(uncounted, data))
  return {
    layout: 'frame',
    title: 'First ping',
    ...(isWaiting ? { live: data.livePath } : {}),
    heading: isWaiting ? 'Put these lines around a job.' : 'The first ping is here.',
    intro: isWaiting
      ? html`Overdue expects to hear from ${name(check)} ${rhythm(check)}.${!isToldNobody && ' When it does not, you are told.'}`
      : html`A ping of ${name(check)} has come. ${nextSentence(data)}`,
    here: 'checks',
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack">${isWaiting && waiting(data)}${came || (!isWaiting && note('up', html`Pings come in. From now on Overdue waits for the next one.`))}
${isToldNobody && note('late', nobodyIsTold(data))}
<div class="acts">${linkButton({ text: 'Go to the checks', look: isWaiting ? 'plain' : 'primary', href: href(checksPath) })}</div>
${card({ title: 'What happens next', body: whatHappens(isToldNobody) })}
${data.mayImport && isWaiting && card({ title: 'Coming from Healthchecks?', body: comingOver(href) })}</div>`,
  }
}

function comingOver(href: Href): Html {
  return html`<div class="stack"><p>Your projects come over whole, with the UUIDs of their checks, their keys and their history.</p><div class="acts">${linkButton({ text: 'Import projects', href: href('/admin/import') })}</div></div>`
}

function name({ name }: Check): Html | string {
  return name === '' ? 'the check' : html`<b>${bdi(name)}</b>`
}

function rhythm({ kind, timeoutSeconds }: Check): string {
  if (kind !== 'simple') return 'on its schedule'
  return timeoutSeconds === DAY_SECONDS
    ? 'once a day'
    : `every ${periodInWords(timeoutSeconds).replace(/^1 (?=\w+$)/, '')}`
}

function nextSentence({ check, tz }: FirstPingData): Html | string {
  const next = nextPingAt(check, expectedIfReadable(check))
  return next ? html`The next ping is due ${exactTime(next, tz)}.` : ''
}

function waiting({ href, path, check, pingUrl, snippet, now }: FirstPingData): Html {
  return html`${snippetPicker({ chosen: snippet, pingUrl, check, now })}${pingUrlField(pingUrl)}
<div class="wait"><span class="live" aria-hidden="true"></span><div><p role="status"><b>Waiting for the first ping…</b></p><p class="help">Run the job, or open the URL in a browser. This page notices by itself.</p><noscript><p class="help"><a href="${href(path)}">Reload to see whether it came</a></p></noscript></div><form method="post" action="${href(path)}">${submit({ text: 'Send one for me', field: PING })}</form></div>`
}

function nobodyIsTold({ href, integrationsPath }: FirstPingData): Html {
  return html`<b>Nobody is told yet</b>, because no integration gets the alerts of this check. <a href="${href(integrationsPath)}">Add an integration</a>, or assign one that is there to the check.`
}

function whatHappens(isToldNobody: boolean): Html {
  return html`<ol class="line"><li>${stateShape('new')}<p><b>New</b> until the first ping.</p></li><li>${stateShape('up')}<p><b>Up</b> as long as pings come in time.</p></li><li>${stateShape('late')}<p><b>Late</b> when one is due but still within grace. Nobody is told.</p></li><li>${stateShape('down')}<p><b>Down</b> when the grace is over. ${isToldNobody ? 'Alerts would go out, once, if the check had an integration.' : 'Alerts go out, once.'}</p></li></ol>`
}
