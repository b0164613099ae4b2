/** The card that lists a project's ping keys, and the pages for creating, replacing and revoking keys. */

import type { Links } from '../../../../domain/check/representation.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { type ListedKey, USED_DAYS } from '../../../../domain/project.ts'
import type { Instant } from '../../../../lib/time.ts'
import { createKey, listKeys, replacePingKey, revokeKey } from '../../../../services/projects/keys.ts'
import { countContents } from '../../../../services/projects/projects.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { formButton, linkButton } from '../../parts/forms/buttons.ts'
import { card, copyable } from '../../parts/lists.ts'
import { counted } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { projectRoute } from '../new-route.ts'
import { PING_KEY, PING_KEYS, revokePingPath, SETTINGS } from './paths.ts'

export function pingKeyRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PING_KEY, 'write', async (visit) => {
      const { actor } = visit
      const { slugs } = await countContents(deps, actor)
      const keys = (await listKeys(deps, actor)).filter(({ kind }) => kind === 'ping')
      return replacePage({ ...contextOf(deps, visit), slug: actor.project.slug, keys, slugs })
    }),
    projectRoute('POST', PING_KEY, 'write', async ({ actor }) => {
      await replacePingKey(deps, actor)
      return { kind: 'redirect', to: projectPath(actor.project.slug, SETTINGS), done: 'ping-key-replaced' }
    }),
    projectRoute('POST', PING_KEYS, 'write', async ({ actor }) => {
      await createKey(deps, actor, 'ping')
      return { kind: 'redirect', to: projectPath(actor.project.slug, SETTINGS), done: 'ping-key-made' }
    }),
    projectRoute('GET', `${PING_KEYS}/:key/revoke`, 'write', async (visit) => {
      const key = await findPingKey(deps, visit)
      return revokePingKeyPage(contextOf(deps, visit), visit.actor.project.slug, key)
    }),
    projectRoute('POST', `${PING_KEYS}/:key/revoke`, 'write', async (visit) => {
      const { hint } = await findPingKey(deps, visit)
      await revokeKey(deps, visit.actor, hint)
      return { kind: 'redirect', to: projectPath(visit.actor.project.slug, SETTINGS), done: 'key-revoked' }
    }),
  ]
}

/** @throws Refusal `not-found` */
async function findPingKey(deps: PageDeps, { actor, params }: ProjectVisit): Promise<ListedKey> {
  const found = (await listKeys(deps, actor)).find(({ hint, kind }) => kind === 'ping' && hint === params.key)
  if (!found) throw new Refusal('not-found', 'not found')
  return found
}

interface PingKeyData extends PageContext {
  readonly slug: string
  readonly links: Links
  /** the project's ping keys */
  readonly keys: readonly ListedKey[]
  /** number of checks with a slug */
  readonly slugs: number
}

export function pingKeyCard(data: PingKeyData): Html {
  const { href, slug, keys, slugs } = data
  const replace = linkButton({
    text: keys.length === 0 ? 'Create ping key' : 'Replace ping key…',
    href: href(projectPath(slug, PING_KEY)),
  })
  const another = formButton({ text: 'Create another ping key', action: href(projectPath(slug, PING_KEYS)) })
  const body = html`<div class="stack"><p>Ping URLs with the slug of a check need this key. Anyone with the key can ping every check of this project that has a slug: ${counted(slugs, 'check', 'checks')}.</p>
${keys.map((key) => keyHtml(key, data))}
<div class="acts">${keys.length > 0 && another}${replace}</div>${keys.length > 0 && CHANGING}</div>`
  return card({ title: keys.length > 1 ? 'Ping keys' : 'Ping key', body })
}

const CHANGING = html`<p class="help">To rotate the key gradually, create another one and change the URLs. Revoke the old key as soon as it is no longer used.</p>`

function keyHtml(key: ListedKey, { href, slug, links, keys, now, tz }: PingKeyData): Html {
  const { lookup, hint } = key
  const revoke = linkButton({
    text: 'Revoke…',
    isSmall: true,
    label: `Revoke… the ping key ${hint}…`,
    href: href(revokePingPath(slug, hint)),
  })
  return html`<div class="field">${copyable(lookup, `Ping key ${hint}…`)}
<p class="help">${usedWords(key, now, tz)} Example: <code>${links.pingEndpoint}${lookup}/backup</code></p>${keys.length > 1 && html`<div class="acts">${revoke}</div>`}</div>`
}

function usedWords({ lastUsedAt, usedBy }: ListedKey, now: Instant, tz: string): HtmlValue {
  if (lastUsedAt === null || usedBy === null) return 'No use recorded yet.'
  const { checks, of } = usedBy
  const used = checks === 0 ? 'Not used' : `Used by ${checks.toLocaleString('en')} of ${counted(of, 'check', 'checks')}`
  return html`${used} in the last ${USED_DAYS} days · last used ${relativeTime(lastUsedAt, now, tz)}.`
}

function revokePingKeyPage({ href, now, tz }: PageContext, slug: string, key: ListedKey): FrameContent {
  return formPage({
    href,
    title: 'Revoke ping key',
    heading: html`Revoke the ping key <code>${key.hint}…</code>?`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: revokePingPath(slug, key.hint),
    fields: html`<p>${usedWords(key, now, tz)} Ping URLs and ping email addresses with this key stop working at once. Checks whose jobs use one go down. The other keys keep working. This can't be undone.</p>`,
    button: { text: 'Revoke ping key', look: 'danger' },
  })
}

function replacePage({ href, slug, keys, slugs, now, tz }: Omit<PingKeyData, 'links'>): FrameContent {
  const hasKey = keys.length > 0
  const verb = hasKey ? 'Replace' : 'Create'
  const breaks = html`<p>Ping URLs and ping email addresses with a current key stop working at once. ${slugs === 0 ? 'No check has a slug, so no job should be using it.' : html`${counted(slugs, 'check has', 'checks have')} a slug. A check whose job pings by slug goes down until you change the URL in the job.`} URLs with a UUID keep working.</p>
${keys.map((key) => html`<p><code>${key.hint}…</code> ${usedWords(key, now, tz)}</p>`)}`
  return formPage({
    href,
    title: `${verb} ping key`,
    heading: `${verb} the ping key?`,
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    action: projectPath(slug, PING_KEY),
    fields: html`${hasKey ? breaks : html`<p>With a ping key, jobs can ping by slug.</p>`}`,
    button: { text: `${verb} ping key`, look: hasKey ? 'danger' : 'primary' },
  })
}
