/** The HTML document that contains a page: title, style sheets, scripts, and the reader's display settings. */
import type { Account } from '../../../domain/account/account.ts'
import { oneLine } from '../../../lib/text/text.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageSite } from '../route.ts'

interface Document {
  readonly site: PageSite
  /** titles of the page and its parent pages, up to the project; the site name is appended */
  readonly titles: readonly string[]
  /** number of down checks in all projects that the reader is allowed to see; 0 if nobody is signed in */
  readonly down?: number
  /**
   * the reader's settings; null if nobody is signed in. Without them, the page uses the system theme and the browser's time zone, and has
   * no keyboard shortcuts
   */
  readonly reader: Pick<Account, 'theme' | 'tz' | 'hasShortcuts'> | null
  /** time zone for readers who are not signed in; by default, the browser's time zone */
  readonly tz?: string
  /** CSS class for `<body>` */
  readonly look?: string
  /** style sheets to load in addition to the common one */
  readonly styles?: readonly ('reference.css' | 'status.css' | 'wall.css')[]
  /** the page's script; `overdue.js` by default */
  readonly script?: 'overdue.js' | 'status.js' | 'wall.js'
  /** additional content of `<head>` */
  readonly head?: Html
  readonly body: HtmlValue
}

/**
 * Settings that htmx reads when it starts. They keep htmx from adding its own styles and from changing the history. When htmx updates the
 * surrounding content, selected checkboxes and opened sections keep their state.
 */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  morphSkip: '[hx-morph-skip], #list input',
  morphIgnore: ['data-htmx-powered', 'open'],
})

export function documentHtml(document: Document): Html {
  const { site, titles, down = 0, reader, tz = reader?.tz, look, head, body } = document
  const { styles = [], script = 'overdue.js' } = document
  const { href } = site
  const { theme = 'system', hasShortcuts = false } = reader ?? {}
  const sheets = ['overdue.css', ...styles] as const
  return html`<!doctype html>
<html lang="en"${theme !== 'system' && html` data-theme="${theme}"`}${tz !== undefined && html` data-tz="${tz}"`}${hasShortcuts && html` data-shortcuts`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${down > 0 && `(${down}) `}${documentTitle(titles, site.name)}</title>
${sheets.map((sheet) => html`<link rel="stylesheet" href="${href.asset(sheet)}">\n`)}<link rel="icon" type="image/svg+xml" href="${href(down > 0 ? '/favicon-down.svg' : '/favicon.svg')}">
${head}${reader && html`<meta name="htmx-config" content="${HTMX_CONFIG}">\n<script src="${href.asset('htmx.js')}" defer></script>\n`}<script src="${href.asset(script)}" defer></script>
</head>
<body${look !== undefined && html` class="${look}"`}>
${body}
<div class="sr" id="announcements" role="status"></div>
</body>
</html>
`
}

/**
 * Returns a title such as `Checks – Harbour Books – Overdue`. Removes control characters that would reorder the text, and does not repeat
 * the site name.
 */
function documentTitle(titles: readonly string[], siteName: string): string {
  const words = [...titles, siteName].map(oneLine)
  return words.filter((word, index) => word !== '' && words.indexOf(word) === index).join(' – ')
}
