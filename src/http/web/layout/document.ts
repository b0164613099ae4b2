/** The document around every page: its title, its files, and the reader's settings for all pages. */
import type { Account } from '../../../domain/account/account.ts'
import { oneLine } from '../../../lib/text/text.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageSite } from '../route.ts'

interface Document {
  readonly site: PageSite
  /** titles from the page to the project; the name of the site follows */
  readonly titles: readonly string[]
  /** number of checks that are down in all projects that the reader may see; 0 for strangers */
  readonly down?: number
  /** the reader's settings; null for strangers: the theme of the system, the zone of the browser, no keys */
  readonly reader: Pick<Account, 'theme' | 'tz' | 'hasShortcuts'> | null
  /** zone of the times for strangers, if it is not that of their browser */
  readonly tz?: string
  /** class of `<body>` */
  readonly look?: string
  /** style sheets besides the one of all pages */
  readonly styles?: readonly ('reference.css' | 'status.css' | 'wall.css')[]
  /** `overdue.js` by default */
  readonly script?: 'overdue.js' | 'status.js' | 'wall.js'
  /** more content of `<head>` */
  readonly head?: Html
  readonly body: HtmlValue
}

/**
 * Settings that htmx reads when it starts. It adds no style of its own, and leaves the history alone. Ticked boxes and opened parts keep
 * their state when the rest around them changes.
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
 * Returns a title such as `Checks – Harbour Books – Overdue`, without controls that would reorder it, and with the name of the site once.
 */
function documentTitle(titles: readonly string[], siteName: string): string {
  const words = [...titles, siteName].map(oneLine)
  return words.filter((word, index) => word !== '' && words.indexOf(word) === index).join(' – ')
}
