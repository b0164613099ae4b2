/** The ping key of a project: shown, replaced. */
import type { Links } from '../../../../domain/check/representation.ts'
import type { StoredKey } from '../../../../domain/project.ts'
import type { Deps } from '../../../../services/deps.ts'
import { listKeys, replacePingKey } from '../../../../services/keys.ts'
import { countContents } from '../../../../services/projects.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { formActs, linkButton } from '../../parts/buttons.ts'
import { card, copyable } from '../../parts/lists.ts'
import { counted } from '../../parts/text.ts'
import type { FrameContent, Route } from '../../route.ts'
import { projectRoute } from '../project-route.ts'
import { PING_KEY, SETTINGS } from './paths.ts'

export function pingKeyRoutes(deps: Pick<Deps, 'store' | 'now' | 'random' | 'site'>): readonly Route[] {
  return [
    projectRoute('GET', PING_KEY, 'write', async ({ actor, site: { href } }) => {
      const { slugs } = await countContents(deps, actor)
      const hasKey = (await listKeys(deps, actor)).some(({ kind }) => kind === 'ping')
      return { kind: 'page', page: replacePage({ href, slug: actor.project.slug, slugs, hasKey }) }
    }),
    projectRoute('POST', PING_KEY, 'write', async ({ actor }) => {
      await replacePingKey(deps, actor)
      return { kind: 'redirect', to: projectPath(actor.project.slug, SETTINGS), done: 'ping-key-replaced' }
    }),
  ]
}

interface PingKeyData {
  readonly href: Href
  readonly slug: string
  readonly links: Links
  /** those for pings */
  readonly keys: readonly StoredKey[]
}

export function pingKeyCard({ href, slug, links, keys }: PingKeyData): Html {
  const shown = keys.map(
    ({ lookup }) => html`${copyable(lookup, 'Ping key')}
<p class="help">Such as <code>${links.pingEndpoint}${lookup}/backup</code></p>`,
  )
  const text = keys.length === 0 ? 'Create ping key' : 'Replace ping key…'
  const body = html`<div class="stack"><p>Jobs that ping by the slug of a check have it in their URL. Whoever knows it can ping every check of this project that has a slug.</p>
${shown}
<div class="acts">${linkButton({ text, href: href(projectPath(slug, PING_KEY)) })}</div></div>`
  return card({ title: 'Ping key', body })
}

interface ReplaceData {
  readonly href: Href
  readonly slug: string
  /** number of checks with a slug */
  readonly slugs: number
  readonly hasKey: boolean
}

function replacePage({ href, slug, slugs, hasKey }: ReplaceData): FrameContent {
  const verb = hasKey ? 'Replace' : 'Create'
  const breaks = html`<p>Every ping URL and ping email address with the present key ends at once. ${slugs === 0 ? 'No check has a slug, so no job should be using it.' : html`${counted(slugs, 'check has', 'checks have')} a slug: each job that pings by it is not heard, and its check goes down, until the job has the new URL.`} URLs with a UUID go on working.</p>`
  return {
    layout: 'frame',
    help: 'settings',
    title: `${verb} ping key`,
    heading: `${verb} the ping key?`,
    here: 'settings',
    crumbs: [{ path: projectPath(slug, SETTINGS), text: 'Project settings' }],
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(projectPath(slug, PING_KEY))}">
${hasKey ? breaks : html`<p>With a ping key, jobs can ping by the slug of a check.</p>`}
${formActs({ text: `${verb} ping key`, look: hasKey ? 'danger' : 'primary' }, href(projectPath(slug, SETTINGS)))}
</form>`,
  }
}
