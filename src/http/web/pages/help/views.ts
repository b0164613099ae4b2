/** The pages below `/docs`: the list of documents, single documents, and search results. */
import { HELP, type HelpDocument } from '../../../../help/documents.ts'
import { HELP_QUERY_LIMIT, type HelpHit } from '../../../../help/search.ts'
import { sectionsOf } from '../../../../help/sections.ts'
import type { Href } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { ReferenceContent } from '../../route.ts'
import { documentHtml } from './markdown.ts'

export const HELP_PATH = '/docs'
const REFERENCES = [
  { path: '/docs/api', text: 'API reference' },
  { path: '/docs/api/overdue', text: 'Incidents and silences' },
]

export function helpPage(href: Href): ReferenceContent {
  const body = html`${searchForm(href, '')}<nav class="groups" aria-label="Documents">${documentGroups(href, null)}</nav>`
  return { layout: 'reference', title: 'Help', body }
}

/** @param current name of the current document; null if none is open */
function documentGroups(href: Href, current: string | null): readonly Html[] {
  const reference = {
    title: 'Reference',
    links: REFERENCES.map((each) => ({ ...each, isHere: false })),
  }
  const groups = HELP.map(({ title, documents }) => ({
    title,
    links: documents.map((each) => {
      return { path: `${HELP_PATH}/${each.name}`, text: each.title, isHere: each.name === current }
    }),
  }))
  return [...groups, reference].map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.map(({ path, text, isHere }) => html`<li><a href="${href(path)}"${isHere && html` aria-current="page"`}>${text}</a></li>`)}</ul></section>`,
  )
}

/**
 * Renders the list of documents twice: expanded next to the text, and collapsed above it for phones. The style sheet hides one of the two
 * lists.
 */
function listBeside(href: Href, current: string | null): Html {
  const groups = documentGroups(href, current)
  return html`<nav class="documents wide" aria-label="Documents">${groups}</nav>
<nav class="documents folded" aria-label="Documents"><details><summary>All documents</summary>${groups}</details></nav>
`
}

export function helpDocumentPage(document: HelpDocument, href: Href): ReferenceContent {
  const contents = sectionsOf(document.text).filter(({ level }) => level === 2)
  const links = contents.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)
  return {
    layout: 'reference',
    title: document.title,
    beside: listBeside(href, document.name),
    body: html`${searchForm(href, '')}${
      links.length > 2 && html`<nav aria-label="On this page"><h2>On this page</h2><ul>${links}</ul></nav>`
    }<div class="prose">${documentHtml(document, href)}</div>`,
  }
}

export function helpSearchPage(href: Href, query: string, hits: readonly HelpHit[]): ReferenceContent {
  const items = hits.map(({ document, section, excerpt }) => {
    const path = `${HELP_PATH}/${document.name}${section.anchor === '' ? '' : `#${section.anchor}`}`
    const words = excerpt.map(({ text, isHit }) => (isHit ? html`<mark>${text}</mark>` : text))
    const place = section.title === document.title || section.title === '' ? null : document.title
    return html`<li><h2><a href="${href(path)}">${section.title || document.title}</a></h2>${place !== null && html`<p class="muted">${place}</p>`}<p>${words}</p></li>`
  })
  const asked = query.trim() !== ''
  return {
    layout: 'reference',
    title: asked ? `Help: ${query.trim()}` : 'Help',
    heading: 'Help',
    beside: listBeside(href, null),
    body: html`${searchForm(href, query)}${asked && html`<p role="status">${found(hits.length, query)}</p>`}<ol class="hits">${items}</ol>`,
  }
}

function found(hits: number, query: string): Html {
  if (hits > 0) return html`${counted(hits, 'result', 'results')} for ${bdi(query)}.`
  return html`Nothing found for ${bdi(query)}. Try fewer words, or the beginning of a word.`
}

function searchForm(href: Href, query: string): Html {
  return html`<form class="find" role="search" method="get" action="${href(`${HELP_PATH}/search`)}" aria-label="Search the documents"><input class="in" type="search" name="q" value="${query}" maxlength="${HELP_QUERY_LIMIT}" aria-label="Words to search for" placeholder="Search the documents">${submit({ text: 'Search' })}</form>`
}
