/** Describes which checks a mute applies to. */
import type { NamedSilence } from '../../../../services/silences/silence-checks.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { MuteScope } from '../../parts/mute.ts'
import { bdi, counted } from '../../parts/words/text.ts'

/** The checks that a form applies to. */
export interface NamedScope {
  readonly scope: MuteScope
  /** the checks' names, in order */
  readonly names: readonly string[]
  readonly projectName: string
}

/** Maximum number of checks to name. The rest are summarized as a count. */
const NAMED = 10

/** Renders a description of the checks for a heading, to follow words such as “Mute”. */
export function scopeWords({ scope, names, projectName }: NamedScope): Html {
  if (scope.isProject) return html`all checks of ${bdi(projectName)}`
  if (scope.tags.length > 0)
    return html`all checks with ${scope.tags.map((tag) => html`<span class="tag">${bdi(tag)}</span> `)}`
  const [only = ''] = names
  return names.length === 1 ? nameHtml(only) : html`${counted(names.length, 'check', 'checks')}`
}

/** Lists the checks. Returns nothing for a single check, because the heading contains its name. */
export function scopeNames({ names }: NamedScope): HtmlValue {
  if (names.length < 2) return null
  const rest = names.length - NAMED
  return html`<ul class="names">${names.slice(0, NAMED).map((name) => html`<li>${nameHtml(name)}</li>`)}${rest > 0 && html`<li>and ${rest} more</li>`}</ul>`
}

export function nameHtml(name: string): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}

/** Returns a sentence that describes which checks a silence matches. */
export function silencedWords({ silence: { match }, checks }: NamedSilence, projectName: string): Html {
  const tags = match.tags.map((tag) => html` <span class="tag">${bdi(tag)}</span>`)
  if (match.checks.length === 0) {
    return tags.length > 0 ? html`All checks with${tags}.` : html`All checks of ${bdi(projectName)}.`
  }
  const rest = match.checks.length - checks.length
  const named = checks.map(({ name }, index) => html`${index > 0 && ', '}${nameHtml(name)}`)
  return html`${named}${rest > 0 && html` and ${rest} more`}${tags.length > 0 && html`, if tagged${tags}`}.`
}
