/** The sections of a wall, one for each project, for the page and its stream. */
import type { Actor } from '../../../../domain/actor.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { ReadWall } from '../../../../services/overview/wall.ts'
import { type Html, html } from '../../html.ts'
import { wallParts } from './grid.ts'

interface WallSection {
  readonly id: string
  readonly section: Html
}

export async function wallSections(
  { readWall, now }: { readonly readWall: ReadWall; readonly now: () => Instant },
  actors: readonly Actor[],
  tz: string,
): Promise<readonly WallSection[]> {
  const sections: WallSection[] = []
  for (const actor of actors) {
    const at = now()
    const wall = await readWall(actor, at)
    const id = `wall-${actor.project.slug}`
    const section = html`<section id="${id}">${wallParts(wall, { now: at, tz })}</section>`
    sections.push({ id, section })
  }
  return sections
}
