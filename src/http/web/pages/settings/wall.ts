/** How a project comes onto a screen that everybody sees. */
import type { Project } from '../../../../domain/project.ts'
import type { Href } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { card, copyable } from '../../parts/lists.ts'

interface WallCardData {
  readonly href: Href
  readonly siteRoot: string
  readonly project: Pick<Project, 'slug' | 'name'>
}

export function wallCard({ href, siteRoot, project: { slug, name } }: WallCardData): Html {
  const wall = href(`/wall?${new URLSearchParams({ p: slug })}`)
  const withKey = `${siteRoot}/tv/#odr_…=${encodeURIComponent(name.toWellFormed())}&theme=dark`
  return card({
    title: 'Wall',
    body: html`<div class="stack"><p>All checks of the project on a large screen. Those that are down or late are shown larger.</p>
<div class="acts">${linkButton({ text: 'Open wall', href: wall })}${linkButton({ text: 'Open dark wall', href: `${wall}&theme=dark` })}</div>
<p>For a screen where nobody signs in, put a read-only API key in place of <code>odr_…</code>. The key stays in the browser.</p>
${copyable(withKey, 'URL of the wall with a key')}</div>`,
  })
}
