/** The sections of a wall display, one for each project. They are used by the page and its event stream. */
import type { Actor } from '../../../../domain/actor.ts'
import { readWall } from '../../../../services/overview/wall.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { wallParts } from './grid.ts'

interface WallSection {
  readonly id: string
  readonly section: Html
}

export async function wallSections(
  deps: PageDeps,
  actors: readonly Actor[],
  tz: string,
  waitsForNight: boolean,
): Promise<readonly WallSection[]> {
  const sections: WallSection[] = []
  for (const actor of actors) {
    const at = deps.now()
    const wall = await readWall(deps, actor, at, tz, waitsForNight)
    const id = `wall-${actor.project.slug}`
    const section = html`<section id="${id}">${wallParts(wall, { now: at, tz })}</section>`
    sections.push({ id, section })
  }
  return sections
}
