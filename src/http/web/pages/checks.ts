/** `/p/<project>/checks`: the checks of a project with their states, those that are down or late first. */
import { may } from '../../../domain/actor.ts'
import type { Check } from '../../../domain/check/check.ts'
import { type ShownState, shownState } from '../../../domain/check/shown.ts'
import { expectedIfReadable, nextPingAt } from '../../../domain/check/status.ts'
import { splitTags } from '../../../domain/check/tags.ts'
import type { Instant } from '../../../lib/time.ts'
import { listChecks } from '../../../services/checks.ts'
import type { Deps } from '../../../services/deps.ts'
import { type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { linkButton } from '../parts/buttons.ts'
import { noChecks } from '../parts/empty.ts'
import { stateWord } from '../parts/states.ts'
import { bdi, counted, shown } from '../parts/text.ts'
import { exactTime, relativeTime } from '../parts/times.ts'
import type { FrameContent, Route } from '../route.ts'

/** More than this many are counted, but not shown. */
const SHOWN = 500

export function checksRoute(deps: Pick<Deps, 'store' | 'now'>): Route {
  return {
    method: 'GET',
    path: '/p/:project/checks',
    access: 'project',
    right: 'read',
    cache: 'no-store',
    async answer({ actor, account, site: { href } }) {
      const checks: Check[] = []
      for await (const page of listChecks(deps, actor, {})) checks.push(...page.map(({ check }) => check))
      const firstPing = may(actor, 'write') ? href(projectPath(actor.project.slug, 'first-ping')) : null
      return { kind: 'page', page: checksPage({ href, checks, firstPing, now: deps.now(), tz: account.tz }) }
    },
  }
}

export interface ChecksData {
  readonly href: Href
  readonly checks: readonly Check[]
  /** the page for the first ping; null for a reader */
  readonly firstPing: string | null
  readonly now: Instant
  readonly tz: string
}

/** The states in the order in which they need the reader. */
const ORDER: readonly ShownState[] = ['down', 'late', 'started', 'up', 'new', 'paused']

export function checksPage(data: ChecksData): FrameContent {
  const { checks, firstPing, now } = data
  const rows = checks
    .map((check) => ({ check, state: shownState(check, now) }))
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return {
    layout: 'frame',
    title: 'Checks',
    here: 'checks',
    intro:
      checks.length === 0
        ? undefined
        : html`${countSentence(rows.map(({ state }) => state))} As of ${exactTime(now, data.tz)}.`,
    body:
      checks.length === 0
        ? noChecks(firstPing === null ? null : firstPingButton(firstPing))
        : table(data, rows.slice(0, SHOWN)),
  }
}

function countSentence(states: readonly ShownState[]): string {
  const number = (state: ShownState) => states.filter((each) => each === state).length
  const [down, late] = [number('down'), number('late')]
  const parts = [...(down > 0 ? [`${down} down`] : []), ...(late > 0 ? [`${late} late`] : [])]
  const all = counted(states.length, 'check', 'checks')
  return parts.length === 0 ? `${all}, none is down or late.` : `${all}, ${parts.join(', ')}.`
}

function firstPingButton(href: string): Html {
  return linkButton({ text: 'Set up the first one', look: 'primary', href })
}

function table(data: ChecksData, rows: readonly { readonly check: Check; readonly state: ShownState }[]): Html {
  return html`<div class="card scroll" tabindex="0" role="group" aria-label="Checks"><table class="table"><thead><tr><th scope="col">ShownState</th><th scope="col">Name</th><th scope="col" class="desk">Last ping</th><th scope="col">Next ping</th></tr></thead><tbody>
${rows.map(({ check, state }) => row(data, check, state))}</tbody></table></div>${
    data.checks.length > SHOWN && html`<p class="help">Only ${SHOWN} are shown, those that are down or late first.</p>`
  }`
}

function row({ now, tz }: ChecksData, check: Check, state: ShownState): Html {
  const next = nextPingAt(check, expectedIfReadable(check))
  const time = (at: Instant | null) => (at === null ? '–' : relativeTime(at, now, tz))
  return html`<tr><td>${stateWord(state)}</td><th scope="row">${check.name === '' ? html`<span class="muted">no name</span>` : bdi(check.name)} ${tags(check)}</th><td class="desk">${time(check.lastPingAt)}</td><td>${time(next)}</td></tr>
`
}

function tags({ tags }: Check): Html | null {
  const all = splitTags(tags)
  return all.length === 0
    ? null
    : html`<span class="tags">${all.map((tag) => html`<span class="tag"><bdi>${shown(tag)}</bdi></span>`)}</span>`
}
