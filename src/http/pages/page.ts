/** The frame of every page: no scripts, no style but its own, nothing from other servers, hidden from search engines. */
import { createHash } from 'node:crypto'
import { NOT_SNIFFED } from '../headers.ts'
import { Html, type HtmlValue, html } from './html.ts'

export interface Page {
  readonly title: string
  readonly siteName: string
  readonly body: HtmlValue
  /** CSS after that of every page; must be a constant, since it is not escaped */
  readonly style?: string
}

const STYLE = `
:root { color-scheme: light dark; --line: #8b95a1; --accent: #2f5fc4 }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .875rem; opacity: .75 }
button { padding: .65rem 1.25rem; border: 0; border-radius: .4rem; background: var(--accent); color: #fff; font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--line); outline-offset: 2px }
`

/** The policy allows exactly this style, by its hash. */
function headersFor(style: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    ...NOT_SNIFFED,
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
  }
}

export function pageAnswer({ title, siteName, body, style = '' }: Page, status = 200): Response {
  const wholeStyle = STYLE + style
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === siteName ? title : `${title} – ${siteName}`}</title>
${new Html(`<style>${wholeStyle}</style>`)}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
<footer>${siteName}</footer>
</main>
</body>
</html>
`
  return new Response(page.text, { status, headers: headersFor(wholeStyle) })
}
