/** Checks and tags as palette options. The script adds the icons for their states. */

import { may } from '../../../../domain/actor.ts'
import { startedAt } from '../../../../domain/check/check.ts'
import { SHOWN_STATES } from '../../../../domain/check/shown-check.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import { lastRunDuration } from '../../../../domain/ping/overlap.ts'
import { durationWords, timeWords } from '../../../../lib/time-words.ts'
import type { PaletteCheck, PaletteChecks } from '../../../../services/search/palette-checks.ts'
import type { FoundCheck } from '../../../../services/search/search.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'

/** The palette searches only this many characters of a check's tags. */
const TAGS_LIMIT = 200
/** Maximum number of tags in the palette. The most common tags are included. */
const TAGS = 100

export function checkOptions({ checks, isCut, now }: PaletteChecks, context: PageContext): Html {
  const options = checks.map((one) => checkOption(one, stateWords(one, { ...context, now }), context, one.isProblem))
  return html`<div data-part="checks"${isCut && html` data-cut`}>${options}</div>`
}

/** Renders checks that the search found. */
export function foundChecks(found: readonly FoundCheck[], context: PageContext): Html {
  return html`<div data-part="checks">${found.map((one) => checkOption(one, STATE_WORDS[one.state], context, false))}</div>`
}

function checkOption(
  { actor, check, state }: FoundCheck,
  words: string,
  { href }: PageContext,
  isProblem: boolean,
): Html {
  const { project } = actor
  const found = `${check.tags.slice(0, TAGS_LIMIT)} ${check.slug}`.trim()
  const name = check.name === '' ? html`<i>no name</i>` : bdi(check.name)
  return html`<a class="${state}" href="${href(checkPath(project.slug, check.publicId))}" data-find="${shown(found)}"${may(actor, 'write') && html` data-write`}${isProblem && html` data-problem`}><span>${name}<small>${words} · ${bdi(project.name)}</small></span></a>
`
}

/** Returns a string such as `Up, ran 7 h ago, 38 min`. */
function stateWords(one: PaletteCheck, { now, tz }: PageContext): string {
  const { check, state, isSlow, expected, downSince } = one
  const { lastPingAt, nPings } = check
  const began = startedAt(check)
  const words = STATE_WORDS[state]
  const said = (kind: 'ago' | 'for', at: { readonly epochMilliseconds: number }) =>
    timeWords(kind, at.epochMilliseconds, now.epochMilliseconds, tz)
  if (state === 'down') return downSince === null ? words : `${words} for ${said('for', downSince)}`
  if (state === 'new') return nPings === 0 ? `${words}, not pinged yet` : words
  if (state === 'late') return expected === null ? words : `${words}, due ${said('ago', expected)}`
  if (state === 'started') {
    const lasting = began === null ? words : `${words} for ${said('for', began)}`
    return isSlow ? `${lasting}, longer than usual` : lasting
  }
  if (state === 'paused' || lastPingAt === null) return words
  const took = lastRunDuration(check)
  return `${words}, ran ${said('ago', lastPingAt)}${took === null ? '' : `, took ${durationWords(took / 1_000_000)}`}`
}

interface CountedTag {
  readonly tag: string
  readonly slug: string
  readonly project: string
  checks: number
}

/** Renders the tags. A tag opens the list of a project's checks with that tag. */
export function tagOptions({ checks, isCut }: PaletteChecks, { href }: PageContext): Html {
  const tags = new Map<string, CountedTag>()
  for (const { actor, check } of checks) {
    const { slug, name } = actor.project
    for (const tag of splitTags(check.tags)) {
      const key = `${slug} ${tag}`
      const known = tags.get(key) ?? { tag, slug, project: name, checks: 0 }
      known.checks += 1
      tags.set(key, known)
    }
  }
  const common = [...tags.values()].toSorted((a, b) => b.checks - a.checks).slice(0, TAGS)
  const options = common.map(({ tag, slug, project, checks: number }) => {
    const path = projectPath(slug, `checks?tag=${encodeURIComponent(tag.toWellFormed())}`)
    // If the list of checks is incomplete, the count would be too low.
    const words = isCut ? bdi(project) : html`${counted(number, 'check', 'checks')} · ${bdi(project)}`
    return html`<a href="${href(path)}">${icon('tag')}<span>Tag ${bdi(tag)}<small>${words}</small></span></a>`
  })
  return html`<div data-part="tags">${options}</div>`
}

/** Renders an icon for each state. The script copies the icon to each check in that state. */
export function shapes(): Html {
  return html`<div data-part="shapes">${SHOWN_STATES.map((state) => stateShape(state))}</div>`
}
