/** The note below an address that users copy. It states which clients cannot reach the address, and which server setting to change. */

import type { Links } from '../../../domain/check/representation.ts'
import { reachOf } from '../../../lib/network/reach.ts'
import { type Html, html } from '../html.ts'
import { note } from './notes.ts'

/** Settings that determine the host names in addresses, each with an example value. */
const SITE_ROOT = 'SITE_ROOT=https://overdue.example.org'
const PING_ENDPOINT = 'PING_ENDPOINT=https://overdue.example.org/ping'
const PING_EMAIL_DOMAIN = 'PING_EMAIL_DOMAIN=overdue.example.org'

/** Renders the note for this server's pages, badges and links; null if everyone can reach them. */
export function siteNote({ siteRoot }: Pick<Links, 'siteRoot'>, isAdministrator: boolean): Html | null {
  return reachNote(new URL(siteRoot).hostname, SITE_ROOT, isAdministrator)
}

/** Renders the note for ping URLs; null if everyone can reach them. */
export function pingNote(
  { siteRoot, pingEndpoint }: Pick<Links, 'siteRoot' | 'pingEndpoint'>,
  isAdministrator: boolean,
): Html | null {
  const setting = pingEndpoint.startsWith(`${siteRoot}/`) ? SITE_ROOT : PING_ENDPOINT
  return reachNote(new URL(pingEndpoint).hostname, setting, isAdministrator)
}

/** Renders the note for the checks' email addresses; null if everyone can reach them. */
export function mailDomainNote(domain: string, isAdministrator: boolean): Html | null {
  return reachNote(domain, PING_EMAIL_DOMAIN, isAdministrator)
}

function reachNote(host: string, setting: string, isAdministrator: boolean): Html | null {
  const reach = reachOf(host)
  if (reach === 'anybody') return null
  const who = reach === 'machine' ? 'Other machines' : 'Machines outside its network'
  const remedy = isAdministrator
    ? html`Set <code>${setting}</code> (the address that other machines use), and restart the server.`
    : html`Ask an administrator of this server to set <code>${setting}</code> (the address that other machines use).`
  return note('late', html`${who} cannot reach <code>${host}</code>. ${remedy}`)
}
