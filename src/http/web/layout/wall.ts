/** A wall display. It fills the window, does not have a menu, and shows the time next to the first heading. */
import type { Account } from '../../../domain/account/account.ts'
import { type Html, html } from '../html.ts'
import type { Refresh } from '../refresh.ts'
import type { PageSite, WallContent } from '../route.ts'
import { documentHtml } from './document.ts'

interface WallData {
  readonly site: PageSite
  /** the reader's account; null for a wall display that uses API keys, which only its script knows */
  readonly account: Pick<Account, 'theme' | 'tz'> | null
  /** number of down checks in all projects that the account is allowed to see */
  readonly down: number
  readonly refresh: Refresh | null
  readonly content: WallContent
}

export function wallLayout({ site, account, down, refresh, content }: WallData): Html {
  const { title, about = '', theme, live, part, clock, body } = content
  const stream =
    live !== undefined &&
    html` hx-sse:connect="${site.href(live)}" hx-trigger="live" hx-swap="none" data-numbers="${site.href('/live?view=counts')}"`
  const page = html`<main id="main" class="wall" tabindex="-1"${stream}${part !== undefined && html` data-part="${site.href(part)}"`}>
<h1 class="sr">${title}</h1>
<div class="wall-clock"><time data-clock>${clock}</time><span id="live" hidden></span></div>
${body}
${refresh && refreshLine(site, refresh)}
</main>`
  const reader = account && { theme: theme ?? account.theme, tz: account.tz, hasShortcuts: false }
  return documentHtml({
    site,
    titles: [title, about],
    down,
    reader,
    look: 'plain',
    styles: ['wall.css'],
    script: 'wall.js',
    body: page,
  })
}

function refreshLine({ href }: PageSite, { isOn, other }: Refresh): Html {
  if (isOn) return html`<p class="help">This page reloads every minute. <a href="${href(other)}">Stop</a></p>`
  return html`<noscript><p class="help">This page shows the state when it was loaded. <a href="${href(other)}">Reload every minute</a></p></noscript>`
}
