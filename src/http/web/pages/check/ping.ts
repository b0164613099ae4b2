/**
 * The card that explains how to ping the check. Only users who may change the check see the card, because anyone who knows the URL can send
 * pings.
 */
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
  /** the check's email address; null if the server receives no email */
  readonly address: string | null
  readonly snippet: Snippet
  readonly siteRoot: string
  /** notes about clients that cannot reach the ping URL or the email address; null if all clients can */
  readonly reach: { readonly ping: Html | null; readonly mail: Html | null }
  /** path of the API reference, including the SITE_ROOT path prefix */
  readonly reference: string
  /** newest ping in the log; null if there is none */
  readonly newest: CheckPage['pings'][number] | null
  readonly isOpen: boolean
  readonly now: Instant
}

/** If this many expected runs pass without a ping, the job may be using the wrong URL. */
const SILENT_RUNS = 3

/**
 * Returns whether the reader probably needs the URL. That is the case if no ping has ever arrived, or if several expected runs have passed
 * without one.
 */
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
${address !== null && html`<div class="field"><span class="label">Email address</span>${copyable(address, 'Email address')}<p class="help">An email to this address counts as a ping.</p></div>${reach.mail}`}</div></details>`
}

/** Renders a phrase such as `pinged by curl from 192.0.2.41`. */
function senderWords({ scheme, ua, remoteAddr }: NonNullable<PingCard['newest']>): Html {
  const program = /^[^\s/(]{1,40}/.exec(ua)?.[0]
  const by = scheme === 'email' ? ' by email' : program !== undefined && html` by ${bdi(program)}`
  return html`pinged${by}${remoteAddr !== null && html` from ${bdi(remoteAddr)}`}`
}
