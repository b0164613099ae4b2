/**
 * Handles duplicate slugs. The API allows two checks to have the same slug, but pings with that slug are rejected. Forms ask the user once
 * to confirm such a slug.
 */
import type { Actor } from '../../../../domain/actor.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { listChecks } from '../../../../services/checks/checks.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import { note } from '../../parts/notes.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import type { ProjectVisit } from '../../route.ts'
import { checkWords } from './check-form.ts'

/** Name of the hidden field that contains the slug that the user was asked to confirm. */
const ASKED = 'shared-slug'

/** Returns another check in the project that has this slug; null if there is none. @param id id of the check that is being edited */
export async function findSlugTwin(
  deps: PageDeps,
  actor: Actor,
  slug: string,
  id: string | null = null,
): Promise<Check | null> {
  if (slug === '') return null
  for await (const page of listChecks(deps, actor, { slug })) {
    const twin = page.find(({ check }) => check.id !== id)
    if (twin) return twin.check
  }
  return null
}

/** The outcome of looking for a duplicate slug: the form's errors, and the slug to confirm. */
interface SlugAnswer {
  readonly errors: FieldErrors
  /** slug for {@link askedField}, so that the form asks only once; null if no confirmation is needed */
  readonly asked: string | null
}

/**
 * Asks the user to confirm a slug that another check already uses.
 * @param check the check that is being edited; null for a new check
 */
export async function askAboutSlug(
  deps: PageDeps,
  { actor, form }: Pick<ProjectVisit, 'actor' | 'form'>,
  slug: string,
  check: Check | null,
): Promise<SlugAnswer> {
  const twin = slug === check?.slug ? null : await findSlugTwin(deps, actor, slug, check?.id ?? null)
  if (twin === null) return { errors: {}, asked: null }
  return { errors: form.text(ASKED) === slug ? {} : { slug: twinError(twin) }, asked: slug }
}

function twinError({ name }: Check): string {
  const who = name === '' ? 'another check' : `another check, ‘${shown(name)}’`
  return `The slug is taken by ${who}; pings by slug would be ambiguous. Change the slug, or save again to keep it.`
}

export function askedField(asked: string | null): HtmlValue {
  return asked !== null && html`<input type="hidden" name="${ASKED}" value="${asked}">`
}

/** Renders a note in the form if the check shares its slug with another check. */
export function slugTwinNote(twin: Check): Html {
  return note(
    'late',
    html`<b>${twin.name === '' ? checkWords(twin) : bdi(twin.name)} has the same slug,</b> so a ping by slug is refused: it could mean either of them. Pings to their URLs are not affected.`,
  )
}
