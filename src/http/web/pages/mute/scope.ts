/** Reads a page's scope from a URL or a form. The scope consists of checks, tags, or the entire project. */
import type { Check } from '../../../../domain/check/check.ts'
import { isTag } from '../../../../domain/check/tags.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { readSelected } from '../../../../services/bulk/settings.ts'
import { SILENCED_AT_ONCE } from '../../../../services/silences/silence-checks.ts'
import { localPath, projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { MUTE, type MuteScope } from '../../parts/mute.ts'
import type { ProjectVisit } from '../../route.ts'

/** Maximum number of tags in a mute, as in the API. */
const TAGS_AT_MOST = 100

/** A scope, and the checks in it that exist. */
export interface FoundScope {
  readonly scope: MuteScope
  readonly checks: readonly Check[]
}

/** @throws Refusal `not-found` if none of the checks exists */
export async function findScope(deps: PageDeps, { actor }: ProjectVisit, scope: MuteScope): Promise<FoundScope> {
  requireFew(scope.checks)
  const found = await readSelected(deps, actor, scope.checks)
  if (found.length === 0 && scope.tags.length === 0 && !scope.isProject) throw new Refusal('not-found', 'not found')
  const checks = found.map(({ check }) => check)
  return { scope: { ...scope, checks: checks.map(({ publicId }) => publicId) }, checks }
}

/**
 * Reads the scope from a URL or a form. Checks take precedence over tags, and tags take precedence over the project, so that a form never
 * mutes more checks than the page showed.
 * @throws Refusal `invalid` for an invalid tag
 */
export function scopeOf(valuesOf: (name: string) => readonly string[]): MuteScope {
  const checks = [...new Set(valuesOf(MUTE.check))]
  const tags = checks.length > 0 ? [] : [...new Set(valuesOf(MUTE.tag))]
  requireTags(tags)
  const isProject = checks.length === 0 && tags.length === 0 && valuesOf(MUTE.project).includes('on')
  return { checks, tags, isProject }
}

/** Rejects invalid tags. Ignoring them would mute more checks than the user requested. @throws Refusal `invalid` */
function requireTags(tags: readonly string[]): void {
  if (tags.length > TAGS_AT_MOST) throw new Refusal('invalid', `use at most ${TAGS_AT_MOST} tags`)
  if (!tags.every(isTag)) throw new Refusal('invalid', 'a tag is one word: send each tag separately')
}

/** @throws Refusal `too-large` */
export function requireFew({ length }: readonly string[]): void {
  if (length <= SILENCED_AT_ONCE) return
  const words = `at most ${SILENCED_AT_ONCE} checks can be selected: mute a tag or the project instead`
  throw new Refusal('too-large', words, { limit: SILENCED_AT_ONCE })
}

/** Returns the local path of the page to open afterwards; by default, the list of checks. */
export function backOf({ actor }: ProjectVisit, back: string | null): string {
  return localPath(back) ?? projectPath(actor.project.slug, 'checks')
}
