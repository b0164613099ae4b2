/** The newest lines of the log. */
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { logTable } from '../../parts/log-lines.ts'
import type { CheckContext } from './context.ts'

export function latestSection({ lines }: CheckPage, { now, tz, pageHref }: CheckContext): Html {
  const link = { text: 'Open the full log', look: 'quiet', isSmall: true, key: 'l' } as const
  const hrefOf = (n: number) => pageHref(`log/${n}`)
  return html`<section class="card" id="latest" aria-labelledby="latest-h"><header><h2 id="latest-h">Log</h2>${linkButton({ ...link, href: pageHref('log') })}</header>${
    lines.length === 0
      ? html`<div class="body"><p class="muted">No ping yet. Run the job, or send one with “Ping now”.</p></div>`
      : logTable(lines, { now, tz, hrefOf })
  }</section>`
}
