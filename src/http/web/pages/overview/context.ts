/** Functions for rendering check names, and links to checks, on the overview. */
import type { Actor } from '../../../../domain/actor.ts'
import type { Check } from '../../../../domain/check/check.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { bdi } from '../../parts/words/text.ts'

/** Returns the path of a check's page. */
export function checkHref({ href }: PageContext, { project }: Actor, { publicId }: Check, more = ''): string {
  return href(`${projectPath(project.slug, `checks/${publicId}`)}${more}`)
}

export function checkName({ name }: Check): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}
