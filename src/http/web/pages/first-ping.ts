/** `/p/<project>/first-ping`: one line for the end of a job, and what happens when it has run. Goes on by itself. */
import type { Check } from '../../../domain/check/check.ts'
import { expectedIfReadable, nextPingAt } from '../../../domain/check/status.ts'
import { periodInWords } from '../../../domain/duration.ts'
import { createFirstCheck, findFirstCheck, firstPingOf, sendPing } from '../../../services/accounts/first-ping.ts'
import type { Deps } from '../../../services/deps.ts'
import type { PingReceiver } from '../../../services/pings.ts'
import { type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { linkButton, submit } from '../parts/buttons.ts'
import { noChecks } from '../parts/empty.ts'
import { card } from '../parts/lists.ts'
import { note } from '../parts/notes.ts'
import { chooseSnippet, type Snippet, snippetPicker } from '../parts/snippets.ts'
import { stateShape } from '../parts/states.ts'
import { bdi } from '../parts/text.ts'
import { exactTime } from '../parts/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route, ServerEvent } from '../route.ts'

export type FirstPingDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'transports' | 'log'> & {
  readonly pings: PingReceiver
}

const PATH = '/p/:project/first-ping'
const DAY_SECONDS = 86_400
/** How often a page that waits looks for the ping. */
const LOOK_EVERY_MS = 1_000

export function firstPingRoutes(deps: FirstPingDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      access: 'project',
      right: 'write',
      cache: 'no-store',
      async answer({ actor, url, account, site }) {
        const check = await findFirstCheck(deps, actor)
        const path = projectPath(actor.project.slug, 'first-ping')
        const common = { href: site.href, path, checksPath: projectPath(actor.project.slug, 'checks') }
        if (check === null) return { kind: 'page', page: noCheckPage(common) }
        const pingUrl = `${deps.site.links.pingEndpoint}${check.id}`
        const snippet = chooseSnippet(url.searchParams.get('snippet'))
        return { kind: 'page', page: firstPingPage({ ...common, check, pingUrl, snippet, tz: account.tz }) }
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
    {
      method: 'GET',
      path: `${PATH}/live`,
      access: 'project',
      right: 'write',
      cache: 'no-store',
      answer: ({ actor, request }) => ({ kind: 'stream', events: events(deps, actor, request.signal) }),
    },
  ]
}

/** The first button makes a check, the second pings it. */
async function post(deps: FirstPingDeps, { actor, client }: ProjectVisit): Promise<PageAnswer> {
  const to = projectPath(actor.project.slug, 'first-ping')
  const check = await findFirstCheck(deps, actor)
  if (check === null) {
    await createFirstCheck(deps, actor)
    return { kind: 'redirect', to }
  }
  await sendPing(deps, actor, check, client)
  return { kind: 'redirect', to, done: 'ping-sent' }
}

async function* events(
  deps: FirstPingDeps,
  actor: ProjectVisit['actor'],
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const check = await findFirstCheck(deps, actor)
  if (check) await firstPingOf(deps, actor, check, { pause: () => Bun.sleep(LOOK_EVERY_MS), signal })
  yield { event: 'reload', data: '' }
}

interface Common {
  readonly href: Href
  readonly path: string
  readonly checksPath: string
}

export interface FirstPingData extends Common {
  readonly check: Check
  readonly pingUrl: string
  readonly snippet: Snippet
  readonly tz: string
}

export function noCheckPage({ href, path, checksPath }: Common): FrameContent {
  const button = html`<form method="post" action="${href(path)}">${submit({ text: 'Make the first check', look: 'primary' })}</form>`
  return {
    layout: 'frame',
    title: 'First ping',
    here: 'checks',
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: noChecks(button),
  }
}

export function firstPingPage(data: FirstPingData): FrameContent {
  const { check, checksPath, href } = data
  const isWaiting = check.nPings === 0
  return {
    layout: 'frame',
    title: 'First ping',
    heading: isWaiting ? 'Put one line at the end of a job.' : 'The first ping is here.',
    intro: isWaiting
      ? html`Overdue expects to hear from ${name(check)} ${rhythm(check)}. When it does not, you are told.`
      : html`A ping of ${name(check)} has come. ${nextSentence(data)}`,
    here: 'checks',
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack">${isWaiting ? waiting(data) : note('up', html`Pings come in. From now on Overdue waits for the next one.`)}
<div class="acts">${linkButton({ text: 'Go to the checks', look: isWaiting ? 'plain' : 'primary', href: href(checksPath) })}</div>
${card({ title: 'What happens next', body: whatHappens() })}</div>`,
  }
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

function waiting({ href, path, pingUrl, snippet }: FirstPingData): Html {
  return html`${snippetPicker({ href: href(path), chosen: snippet, pingUrl })}
<div class="wait" data-live="${href(`${path}/live`)}"><span class="live" aria-hidden="true"></span><div><p role="status"><b>Waiting for the first ping…</b></p><p class="help">Run the job, or open the URL in a browser. This page notices by itself.</p><noscript><p class="help"><a href="${href(path)}">Reload to see whether it came</a></p></noscript></div><form method="post" action="${href(path)}">${submit({ text: 'Send one for me' })}</form></div>`
}

function whatHappens(): Html {
  return html`<ol class="line"><li>${stateShape('new')}<p><b>New</b> until the first ping.</p></li><li>${stateShape('up')}<p><b>Up</b> as long as pings come in time.</p></li><li>${stateShape('late')}<p><b>Late</b> when one is due but still within grace. Nobody is told.</p></li><li>${stateShape('down')}<p><b>Down</b> when the grace is over. Alerts go out, once.</p></li></ol>`
}
