/** The ways to ping the check. Anyone who knows the URL can ping it, so only people who may change the check see this. */
import type { Check } from '../../../../domain/check/check.ts'
import { nextSlots } from '../../../../domain/check/slots.ts'
import { type Instant, isBefore } from '../../../../lib/time.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { copyable } from '../../parts/lists.ts'
import { pingUrlField, type Snippet, snippetPicker } from '../../parts/snippets.ts'
import { bdi } from '../../parts/words/text.ts'

export interface PingCard {
  readonly check: Check
  readonly pingUrl: string
  /** null: the server receives no email */
  readonly address: string | null
  readonly snippet: Snippet
  readonly siteRoot: string
  /** notes below the ping URL and the email address: the people who cannot use them; null if everybody can */
  readonly reach: { readonly ping: Html | null; readonly mail: Html | null }
  /** address of the API reference, with the path of SITE_ROOT */
  readonly reference: string
  /** the newest ping of the log; null without one */
  readonly newest: CheckPage['pings'][number] | null
  readonly isOpen: boolean
  readonly now: Instant
}

/** Expected runs without a ping after which the job may have another URL. */
const SILENT_RUNS = 3

/** Whether a reader of the page probably wants the URL: no ping has arrived yet, or none for several runs. */
export function isPingNeeded(check: Check, now: Instant): boolean {
  if (check.nPings === 0) return true
  const { lastPingAt, status } = check
  if (lastPingAt === null || status === 'paused') return false
  const last = nextSlots(check, lastPingAt, SILENT_RUNS).at(SILENT_RUNS - 1)
  return last !== undefined && !isBefore(now, last)
}

export function pingSection(card: PingCard): Html {
  const { check, pingUrl, address, snippet, reach, reference, newest, isOpen, now, siteRoot } = card
  return html`<details class="card drawer" id="ping"${isOpen && html` open`}><summary><h2>Ping URL</h2>${newest && html`<span class="muted">${senderWords(newest)}</span>`}${icon('down')}</summary><div class="body form">${pingUrlField(pingUrl, 'c')}${reach.ping}
<div class="field">${snippetPicker({ chosen: snippet, pingUrl, check, now, siteRoot })}
<p class="help">Add <code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status to the URL. <a href="${reference}">All signals</a></p></div>
${address !== null && html`<div class="field"><span class="label">Email address</span>${copyable(address, 'Email address')}<p class="help">An email to this address is a ping.</p></div>${reach.mail}`}</div></details>`
}

/** Returns a text such as `pinged by curl from 192.0.2.41`. */
function senderWords({ scheme, ua, remoteAddr }: NonNullable<PingCard['newest']>): Html {
  const program = /^[^\s/(]{1,40}/.exec(ua)?.[0]
  const by = scheme === 'email' ? ' by email' : program !== undefined && html` by ${bdi(program)}`
  return html`pinged${by}${remoteAddr !== null && html` from ${bdi(remoteAddr)}`}`
}
