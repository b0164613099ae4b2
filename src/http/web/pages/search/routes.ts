/** `/search`: searches checks, job output and integrations in all projects that the reader may see. */

import type { Actor } from '../../../../domain/actor.ts'
import { nothingFound, progressSentences } from '../../../../domain/search/answer-words.ts'
import { parseSearch, QUERY_LIMITS, type SearchQuery } from '../../../../domain/search/query.ts'
import {
  type FoundChannel,
  type FoundCheck,
  type FoundPing,
  type SearchAnswer,
  search,
} from '../../../../services/search/search.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind } from '../../parts/channels.ts'
import { empty } from '../../parts/empty.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { icon } from '../../parts/icons.ts'
import { PING_LOOKS } from '../../parts/log-lines.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import { timeOf, zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'

export function searchRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute('GET', '/search', async (visit) => {
      const { person, url } = visit
      const query = parseSearch(url.searchParams.get('q') ?? '')
      const context: SearchContext = { ...contextOf(deps, visit), query }
      if (query.terms.length === 0) return searchPage(context, null)
      const answer = await deps.longReads.during(person, () => search(deps, person, query))
      return searchPage(context, answer)
    }),
  ]
}

interface SearchContext extends PageContext {
  readonly query: SearchQuery
}

const HEADING = 'Search everything'

/** @param answer search results; null if the user did not enter a query */
function searchPage(context: SearchContext, answer: SearchAnswer | null): FrameContent {
  const { text } = context.query
  return {
    layout: 'frame',
    title: text === '' ? HEADING : `${HEADING}: ${text}`,
    heading: HEADING,
    body: html`${searchForm(context)}<div class="stack" id="found">${answer === null ? help(context) : results(context, answer)}</div>`,
  }
}

function searchForm({ query, href }: SearchContext): Html {
  return html`<form class="filters" role="search" action="${href('/search')}" aria-label="Search everything">
<div class="search">${icon('search')}<input class="in" type="search" name="q" value="${query.text}" maxlength="${QUERY_LIMITS.characters}" aria-label="Search check names and job output" placeholder="Check names and job output" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"${query.text === '' && html` autofocus`}><kbd aria-hidden="true">/</kbd></div>
${submit({ text: 'Search' })}
</form>
`
}

function help({ query }: SearchContext): Html {
  const said = query.text !== '' && html`<p>Type at least one word.</p>`
  return html`<div class="card"><div class="body">${said}<p>Searches check names and job output, in all projects that you have access to. Checks are also found by tag, slug and description.</p><p>All words must match. Three or more letters also match the beginning of a word. Use quotes for a phrase: <code>"no space left"</code></p></div></div>`
}

function results(context: SearchContext, answer: SearchAnswer): HtmlValue {
  const { checks, pings, channels, hasMore } = answer
  const { query } = context
  const isNothing = checks.length + pings.length + channels.length === 0
  return [
    query.isCut &&
      html`<p class="help">Only the first ${QUERY_LIMITS.words} words and ${QUERY_LIMITS.characters} characters are used.</p>`,
    isNothing && empty({ title: nothingFound(answer.searched), text: 'Try fewer words, or the beginning of a word.' }),
    checks.length > 0 &&
      group(
        'Checks',
        checks.map((found) => checkLine(found, context)),
        hasMore.checks && 'More checks match. Add a word to narrow the search.',
      ),
    pings.length > 0 &&
      group(
        'Pings',
        pings.map((found) => pingLine(found, context)),
        hasMore.pings && `Only the newest ${pings.length} are shown.`,
      ),
    channels.length > 0 &&
      group(
        'Integrations',
        channels.map(channelLine),
        hasMore.channels && 'More integrations match. Add a word to narrow the search.',
      ),
    progressSentences(answer).map((said) => html`<p class="help">${sentenceHtml(said, context)}</p>`),
    pings.length > 0 && zoneLine(context.tz),
  ]
}

/** @param more text about further results, shown below the lines; false if there are none */
function group(title: string, lines: readonly Html[], more: string | false): Html {
  const id = `found-${title.toLowerCase()}`
  return html`<section class="card" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2></header><ul class="hits">${lines}</ul>${more !== false && html`<div class="body"><p class="help">${more}</p></div>`}</section>
`
}

function projectName({ project }: Actor): Html {
  return html`<span class="muted">${bdi(project.name)}</span>`
}

function checkName(name: string): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}

function checkLine({ actor, check, state }: FoundCheck, { href }: SearchContext): Html {
  const path = href(checkPath(actor.project.slug, check.publicId))
  return html`<li><p>${stateShape(state)}<a href="${path}">${checkName(check.name)}</a> <span class="sr">${STATE_WORDS[state]}</span> ${projectName(actor)}</p></li>`
}

function pingLine({ actor, check, n, receivedAt, kind, excerpt }: FoundPing, { href, now, tz }: SearchContext): Html {
  const path = href(checkPath(actor.project.slug, check.publicId, `log/${n}`))
  const { word, shape } = PING_LOOKS[kind]
  const words = excerpt.map(({ text, isHit }) => (isHit ? html`<mark>${shown(text)}</mark>` : shown(text)))
  return html`<li><p>${shape}<a href="${path}">${checkName(check.name)}, ping ${n}</a> <span>${word}</span> ${timeOf('at', receivedAt, now, tz)} ${projectName(actor)}</p><p class="excerpt"><bdi>${words}</bdi></p></li>`
}

function channelLine({ actor, channel }: FoundChannel): Html {
  const kind = channelKind(channel.kind)
  const name = channel.name === '' ? kind : html`${bdi(channel.name)} <span class="muted">${kind}</span>`
  return html`<li><p>${name} ${projectName(actor)}</p></li>`
}
