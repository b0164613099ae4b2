/** A long text for reading, without a menu. */
import { type Html, html } from '../html.ts'
import { logo } from '../parts/icons.ts'
import { bdi } from '../parts/text.ts'
import type { PageSite, ReferenceContent } from '../route.ts'
import { documentHtml } from './document.ts'

export function referenceLayout(site: PageSite, { title, heading = bdi(title), intro, body }: ReferenceContent): Html {
  const page = html`<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="${site.href('/')}">${logo(20)}<b>${bdi(site.name)}</b></a></header>
<main id="main" class="reference" tabindex="-1">
<h1>${heading}</h1>${intro !== undefined && html`<p>${intro}</p>`}
${body}
</main>`
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
