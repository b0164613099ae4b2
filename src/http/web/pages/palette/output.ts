/** Pings found by a search, as palette options, and a link to all results. */
import type { SearchQuery } from '../../../../domain/search/query.ts'
import { timeWords } from '../../../../lib/time-words.ts'
import type { FoundPing, SearchAnswer } from '../../../../services/search/search.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { bdi, shown } from '../../parts/words/text.ts'

/** Maximum number of pings. The search page shows more. */
const PINGS = 5

export function outputOptions({ pings }: SearchAnswer, { text }: SearchQuery, context: PageContext): Html {
  const all = context.href(`/search?${new URLSearchParams({ q: text })}`)
  return html`<div data-part="output">${pings.slice(0, PINGS).map((ping) => pingOption(ping, context))}<a href="${all}">${icon('search')}<span>All results for “${bdi(text)}”</span></a></div>`
}

function pingOption({ actor, check, n, receivedAt, excerpt }: FoundPing, { href, now, tz }: PageContext): Html {
  const path = href(checkPath(actor.project.slug, check.publicId, `log/${n}`))
  const name = check.name === '' ? html`<i>no name</i>` : bdi(check.name)
  const at = timeWords('at', receivedAt.epochMilliseconds, now.epochMilliseconds, tz)
  const words = excerpt.map((part) => (part.isHit ? html`<mark>${shown(part.text)}</mark>` : shown(part.text)))
  return html`<a href="${path}">${icon('file')}<span>${name}, ${at}<small><bdi>${words}</bdi></small></span></a>`
}
