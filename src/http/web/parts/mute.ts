/**
 * The "Mute until…" button, which opens a menu of end times without a script. In browsers without popover support, it is a link to a page.
 */
import { endOf } from '../../../domain/silence/choice.ts'
import type { Silence } from '../../../domain/silence/silence.ts'
import { type Instant, microsecondsBetween } from '../../../lib/time.ts'
import { durationWords } from '../../../lib/time-words.ts'
import { checkPath, type Href, projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import { linkButton, submit } from './forms/buttons.ts'
import { hiddenField, hiddenFields } from './forms/fields.ts'
import { dayOptions, UNTIL } from './forms/until-fields.ts'
import { icon } from './icons.ts'
import { wholeDurations } from './words/durations.ts'
import { timeOf } from './words/times.ts'

/** Field names in forms that mute checks. */
export const MUTE = {
  check: 'c',
  tag: 'tag',
  project: 'project',
  until: 'until',
  reason: 'reason',
  back: 'back',
} as const
export const UNMUTE = { name: 'action', value: 'unmute' } as const

/** The scope of a mute: some checks, all checks that have every one of the tags, or the entire project. */
export interface MuteScope {
  /** public ids of the checks */
  readonly checks: readonly string[]
  readonly tags: readonly string[]
  readonly isProject: boolean
}

/** Page context that the mute button and forms need. */
interface MuteContext {
  readonly href: Href
  readonly now: Instant
  /** IANA name of the time zone in the reader's account */
  readonly tz: string
}

/** Number of days that the user can choose from, including today. */
export const MUTE_DAYS = 14

export function mutePath(slug: string, scope: MuteScope, back: string): string {
  const [only, ...others] = scope.checks
  if (only !== undefined && others.length === 0) {
    return `${checkPath(slug, only, 'mute')}?${new URLSearchParams({ [MUTE.back]: back })}`
  }
  return `${projectPath(slug, 'mute')}?${new URLSearchParams([...scopePairs(scope), [MUTE.back, back]])}`
}

/** Path of the page for planning or changing a window, below `/p/<project>/`. */
export const PLAN_PAGE = 'mute/window'
/** Name of the form field and query parameter for a silence's id. */
export const SILENCE = 'silence'

function planPath(slug: string, scope: MuteScope, back: string): string {
  return `${projectPath(slug, PLAN_PAGE)}?${new URLSearchParams([...scopePairs(scope), [MUTE.back, back]])}`
}

/** Returns the path of the form that changes a mute. */
export function changePath(slug: string, id: string, back: string): string {
  return `${projectPath(slug, PLAN_PAGE)}?${new URLSearchParams({ [SILENCE]: id, [MUTE.back]: back })}`
}

export function scopePairs({ checks, tags, isProject }: MuteScope): [name: string, value: string][] {
  return [
    ...checks.map((id): [string, string] => [MUTE.check, id]),
    ...tags.map((tag): [string, string] => [MUTE.tag, tag]),
    ...(isProject ? [[MUTE.project, 'on'] as [string, string]] : []),
  ]
}

/** @param back local path of the page to open afterwards */
export function muteMenu(scope: MuteScope, slug: string, back: string, context: MuteContext): Html {
  const { href } = context
  const page = linkButton({ text: 'Mute until…', icon: 'mute', href: href(mutePath(slug, scope, back)) })
  const hidden = html`${hiddenFields([...scopePairs(scope), [MUTE.back, back]])}`
  const action = href(projectPath(slug, 'mute'))
  return html`<span class="mute-link">${page}</span><button class="btn mute-pop" type="button" popovertarget="mute" data-key="m">${icon('mute')}Mute until…${icon('down')}</button><div id="mute" popover class="pop" role="group" aria-label="Mute until"><form method="post" action="${action}">${hidden}<p class="help">${MUTE_HELP}</p><ul>${choices(context)}</ul></form><form class="menu-c" method="post" action="${action}">${hidden}${dayAndTime(context)}${submit({ text: 'Mute', isSmall: true, field: { name: MUTE.until, value: 'at' } })}</form><a class="menu-p" href="${href(planPath(slug, scope, back))}">Plan a window…</a></div>`
}

export const MUTE_HELP =
  'No alerts are sent until then. Checks are still monitored, and pages still show what is wrong.'

/** Returns the value, the text and the end time of each option that does not need any fields. */
export function choiceWords({ now, tz }: MuteContext): readonly (readonly [value: string, words: string, end: Html])[] {
  const morning = endOf('morning', now, tz)
  const until = wholeDurations(durationWords(microsecondsBetween(now, morning) / 1_000_000))
  return [
    ['1h', 'For 1 h', html`until ${timeOf('clock', endOf('1h', now, tz), now, tz)}`],
    ['morning', 'Until tomorrow 08:00', html`${until}`],
    ['healthy', 'Until healthy', html`until the next success, at most 7 days`],
  ]
}

function choices(context: MuteContext): readonly Html[] {
  return choiceWords(context).map(
    ([value, words, end]) =>
      html`<li><button type="submit" name="${MUTE.until}" value="${value}">${words} <small>${end}</small></button></li>`,
  )
}

function dayAndTime({ now, tz }: MuteContext): Html {
  const days = dayOptions(now, tz, MUTE_DAYS).map(
    ([value, words], index) => html`<option value="${value}"${index === 1 && html` selected`}>${words}</option>`,
  )
  return html`<label for="mute-day">Until</label><select id="mute-day" name="${UNTIL.day}">${days}</select><input class="in" name="${UNTIL.time}" value="08:00" maxlength="5" aria-label="Time, 24 hours" autocomplete="off">`
}

/**
 * Renders the button that ends a silence. If the silence covers several checks or has a window, the button links to the page that lists
 * it.
 */
export function unmuteButton(
  silence: Silence,
  scope: MuteScope,
  slug: string,
  back: string,
  { href }: MuteContext,
): Html {
  if (silence.match.checks.length !== 1 || silence.window !== null) {
    return linkButton({ text: 'Unmute…', isSmall: true, href: href(mutePath(slug, scope, back)) })
  }
  return unmuteForm(silence, href(projectPath(slug, 'mute')), back)
}

/** @param action path that the form is posted to, including SITE_ROOT's path */
export function unmuteForm({ id, window }: Pick<Silence, 'id' | 'window'>, action: string, back: string): Html {
  const text = window === null ? 'Unmute' : 'Unmute for good'
  const button = submit({ text, isSmall: true, field: UNMUTE })
  return html`<form method="post" action="${action}">${hiddenField(SILENCE, id)}${hiddenField(MUTE.back, back)}${button}</form>`
}
