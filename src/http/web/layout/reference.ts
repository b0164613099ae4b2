/** A page for reading a long text, without a menu. */
import { START } from '../href.ts'
import { type Html, html } from '../html.ts'
import { logo } from '../parts/icons.ts'
import { bdi } from '../parts/words/text.ts'
import type { PageSite, ReferenceContent } from '../route.ts'
import { documentHtml } from './document.ts'

/** Path of the list of documents. Documents and the API reference have paths below it. */
const DOCUMENTS = '/docs'

export function referenceLayout(site: PageSite, content: ReferenceContent): Html {
  const { title, heading = bdi(title), intro, body, beside } = content
  const page = html`<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="${site.href(START)}">${logo(20)}<b>${bdi(site.name)}</b></a><a href="${site.href(START)}" data-back="${site.href(DOCUMENTS)}">Back to ${bdi(site.name)}</a></header>
${beside !== undefined && html`<div class="beside">${beside}`}<main id="main" class="reference" tabindex="-1">
<h1>${heading}</h1>${intro !== undefined && html`<p>${intro}</p>`}
${body}
</main>${beside !== undefined && html`</div>`}`
  const styles = ['reference.css'] as const
  return documentHtml({
    site,
    titles: [title],
    reader: null,
    look: 'plain',
    styles,
    body: page,
  })
}
