/** A page with a single centered column, for pages outside projects: sign-in, set-up, errors, and links from emails. */
import type { Account } from '../../../domain/account/account.ts'
import { type Html, html } from '../html.ts'
import { icon, logo } from '../parts/icons.ts'
import { type ToldDone, toast } from '../parts/toast.ts'
import { bdi } from '../parts/words/text.ts'
import type { GateContent, PageSite } from '../route.ts'
import { documentHtml } from './document.ts'

interface GateData {
  readonly site: PageSite
  /** the reader's account; null if nobody is signed in */
  readonly account: Pick<Account, 'theme' | 'tz'> | null
  readonly done: ToldDone | null
  readonly content: GateContent
}

export function gatePage({ site, account, done, content }: GateData): Html {
  const { title, heading = title, intro, steps, aside } = content
  const body = html`<main id="main" class="gate${aside && ' wide'}" tabindex="-1">
<div class="gate-in">${done && toast(done, null)}<a class="brand big" href="${site.href('/')}">${logo(28)}${bdi(site.name)}</a>${steps && stepsHtml(steps)}
<h1>${heading}</h1>${intro !== undefined && html`<p class="muted">${intro}</p>`}
${content.body}</div>
${aside && html`<aside class="gate-side" aria-label="${aside.name}"><h2>${aside.name}</h2>${aside.body}</aside>`}
</main>`
  const reader = account && { theme: account.theme, tz: account.tz, hasShortcuts: false }
  return documentHtml({ site, titles: [title], reader, look: 'plain', body })
}

function stepsHtml({ names, current }: NonNullable<GateContent['steps']>): Html {
  const items = names.map((name, index) => {
    if (index < current) return html`<li class="done"><span>${icon('tick')}<i class="sr">done: </i></span>${name}</li>`
    return html`<li${index === current && html` aria-current="step"`}><span>${index + 1}</span>${name}</li>`
  })
  return html`<ol class="steps" aria-label="Set-up">${items}</ol>`
}
