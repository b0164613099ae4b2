/** What the parts of the first page need besides their data. */
import type { PersonActor } from '../../../../domain/actor.ts'
import type { Check } from '../../../../domain/check/check.ts'
import type { Instant } from '../../../../lib/time.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { bdi } from '../../parts/words/text.ts'

export interface WrongContext {
  readonly href: Href
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
}

/** The page of the check. */
export function checkHref({ href }: WrongContext, { project }: PersonActor, { publicId }: Check, more = ''): string {
  return href(`${projectPath(project.slug, `checks/${publicId}`)}${more}`)
}

export function checkName({ name }: Check): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}
