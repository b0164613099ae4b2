/** How to ping the check. Whoever knows the URL can ping it, so only those who may change the check see this. */
import type { Check } from '../../../../domain/check/check.ts'
import type { Instant } from '../../../../lib/time.ts'
import { type Html, html } from '../../html.ts'
import { copyable } from '../../parts/lists.ts'
import { pingUrlField, type Snippet, snippetPicker } from '../../parts/snippets.ts'

export interface PingCard {
  readonly check: Check
  readonly pingUrl: string
  /** null: the server receives no email */
  readonly address: string | null
  readonly snippet: Snippet
  /** below the ping URL and the email address: who cannot use them; null when anybody can */
  readonly reach: { readonly ping: Html | null; readonly mail: Html | null }
  /** of the API reference, with the path of SITE_ROOT */
  readonly reference: string
  readonly now: Instant
}

export function pingSection({ check, pingUrl, address, snippet, reach, reference, now }: PingCard): Html {
  return html`<section class="card" id="ping" aria-labelledby="ping-h"><header><h2 id="ping-h">Ping this check</h2></header><div class="body form">${pingUrlField(pingUrl, 'c')}${reach.ping}
<div class="field">${snippetPicker({ chosen: snippet, pingUrl, check, now })}
<p class="help">Add <code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status to the URL. <a href="${reference}">All signals</a></p></div>
${address !== null && html`<div class="field"><span class="label">Email address</span>${copyable(address, 'Email address')}<p class="help">An email to this address is a ping.</p></div>${reach.mail}`}</div></section>`
}
