/**
 * Renders a Markdown document as HTML. Links to other documents lead to their pages on this server. The HTML loads nothing from other
 * servers.
 */
import { documentOfFile, folderOf, type HelpDocument } from '../../../../help/documents.ts'
import { Html, html } from '../../html.ts'

/** Options for the Markdown parser. HTML in the source is escaped and shown as text. */
const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true, headings: { ids: true } } as const

/** Renders a document without its first heading, because the page already shows the title. */
export function documentHtml(document: HelpDocument, href: (path: string) => string): Html {
  const rewriter = new HTMLRewriter()
    .on('h1', { element: (element) => void element.remove() })
    .on('a[href]', { element: (element) => rewriteLink(element, document, href) })
    // The images are not available on this server.
    .on('img', { element: (element) => void element.remove() })
    // Elements that may be wider than a phone's screen are put in a scrollable region that can be focused, so that it also scrolls with the
    // keyboard.
    .on('table', { element: (element) => wrap(element, 'Table') })
    .on('pre', { element: (element) => void element.setAttribute('tabindex', '0') })
  return new Html(rewriter.transform(withoutEmptyHeads(Bun.markdown.html(document.text, OPTIONS))))
}

/** Removes empty table headers. Markdown requires a header in every table, and screen readers would read out an empty one. */
function withoutEmptyHeads(text: string): string {
  return text.replace(/<thead>\s*<tr>(?:<th><\/th>)+<\/tr>\s*<\/thead>\n?/g, '').replaceAll('<th></th>', '<td></td>')
}

function wrap(element: HTMLRewriterTypes.Element, name: string): void {
  element.before(html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">`.text, { html: true })
  element.after('</div>', { html: true })
}

function rewriteLink(element: HTMLRewriterTypes.Element, document: HelpDocument, href: (path: string) => string): void {
  const target = element.getAttribute('href') ?? ''
  if (target.startsWith('#')) return
  if (URL.canParse(target)) {
    if (/^https?:/i.test(target)) element.setAttribute('rel', 'noreferrer')
    else element.removeAndKeepContent()
    return
  }
  const path = helpPathOf(document, target)
  if (path === null) element.removeAndKeepContent()
  else element.setAttribute('href', href(path))
}

/**
 * @param target a link target in the document, relative to the document's file, such as `../README.md#run-it`
 * @returns the page's path; null if the file has no page
 */
function helpPathOf(document: HelpDocument, target: string): string | null {
  const { pathname, hash } = new URL(target, `file:///${folderOf(document)}`)
  const linked = documentOfFile(pathname.slice(1))
  return linked && `/docs/${linked.name}${hash}`
}
