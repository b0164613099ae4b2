/**
 * Reduces untrusted HTML to text and known elements without attributes. The result contains no scripts, styles, links or external
 * resources. As a second line of defense, pages show the result in a separate frame that also forbids them.
 */
import { splitHtml } from '../../lib/mime/html-text.ts'

const KEPT = new Set(
  (
    'p div span br hr center pre blockquote b strong i em u s small sub sup code kbd samp tt h1 h2 h3 h4 h5 h6 ' +
    'ul ol li dl dt dd table caption thead tbody tfoot tr td th'
  ).split(' '),
)
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i

export function plainHtml(html: string): string {
  const parts: string[] = []
  let isTitle = false
  for (const { isMarkup, text } of splitHtml(html)) {
    const [, slash = '', name = ''] = (isMarkup && TAG.exec(text)) || []
    const element = name.toLowerCase()
    if (element === 'title') isTitle = slash === ''
    else if (KEPT.has(element)) {
      isTitle = false
      parts.push(`<${slash}${element}>`)
    } else if (!isMarkup && !isTitle) parts.push(text.replaceAll('<', '&lt;'))
  }
  return parts.join('')
}
