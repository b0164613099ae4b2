/** The HTML document around every page: title, style sheets, scripts, and the reader's display settings. */
import type { Account } from '../../../domain/account/account.ts'
import { oneLine } from '../../../lib/text/text.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageSite } from '../route.ts'

interface Document {
  readonly site: PageSite
  /** titles of the page and what it belongs to, up to the project; the name of the site is appended */
  readonly titles: readonly string[]
  /** number of checks that are down in all projects that the reader may see; 0 if nobody is signed in */
  readonly down?: number
  /**
   * the reader's settings. If null, nobody is signed in: the page uses the theme of the system and the zone of the browser, and has no
   * keyboard shortcuts
   */
  readonly reader: Pick<Account, 'theme' | 'tz' | 'hasShortcuts'> | null
  /** time zone for readers who are not signed in; by default that of their browser */
  readonly tz?: string
  /** class of `<body>` */
  readonly look?: string
  /** style sheets to load in addition to the one of all pages */
  readonly styles?: readonly ('reference.css' | 'status.css' | 'wall.css')[]
  /** script of the page; `overdue.js` by default */
  readonly script?: 'overdue.js' | 'status.js' | 'wall.js'
  /** additional content of `<head>` */
  readonly head?: Html
  readonly body: HtmlValue
}

/**
 * Settings that htmx reads when it starts. They keep htmx from adding its own styles and from changing the history. Ticked boxes and opened
 * parts keep their state when htmx updates the content around them.
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
 * the name of the site.
 */
function documentTitle(titles: readonly string[], siteName: string): string {
  const words = [...titles, siteName].map(oneLine)
  return words.filter((word, index) => word !== '' && words.indexOf(word) === index).join(' – ')
}
