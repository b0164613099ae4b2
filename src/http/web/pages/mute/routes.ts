/**
 * `/p/<project>/mute?tag=…`, `?project=on`, and `mute` below the address of a check: mutes checks, and unmutes them. The list of checks
 * posts a selection to it.
 */

import type { Check } from '../../../../domain/check/check.ts'
import { isTag } from '../../../../domain/check/tags.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { END_CHOICES, timesOfChoice, type WantedEnd } from '../../../../domain/silence/choice.ts'
import { REASON_LIMIT } from '../../../../domain/silence/silence.ts'
import { readSelected } from '../../../../services/bulk/settings.ts'
import { listNamedSilences, SILENCED_AT_ONCE, silenceChecks } from '../../../../services/silences/silence-checks.ts'
import { endSilence } from '../../../../services/silences/silences.ts'
import { contextOf } from '../../context.ts'
import type { Form } from '../../form.ts'
import { checkPath, localPath, projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { UNTIL } from '../../parts/forms/until-fields.ts'
import { MUTE, type MuteScope, UNMUTE } from '../../parts/mute.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { BULK_FORM_LIMIT, readMatch, readMatching } from '../checks/bulk.ts'
import { searchOf } from '../checks/query.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { type MuteData, type MuteForm, mutePage } from './page.ts'

/** Most tags of one mute, as in the API. */
const TAGS_AT_MOST = 100

export function muteRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', 'mute', 'write', (visit) => {
      const { searchParams } = visit.url
      return ask(
        deps,
        visit,
        scopeOf((name) => searchParams.getAll(name)),
        searchParams.get(MUTE.back),
      )
    }),
    projectRoute('GET', 'checks/:check/mute', 'write', (visit) => {
      const id = visit.params.check ?? ''
      const back = visit.url.searchParams.get(MUTE.back) ?? checkPath(visit.actor.project.slug, id)
      return ask(deps, visit, { checks: [id], tags: [], isProject: false }, back)
    }),
    projectRoute('POST', 'mute', 'write', (visit) => act(deps, visit), { formLimit: BULK_FORM_LIMIT }),
  ]
}

async function ask(deps: PageDeps, visit: ProjectVisit, scope: MuteScope, back: string | null): Promise<PageAnswer> {
  const found = await findScope(deps, visit, scope)
  return mutePage(await readData(deps, visit, found, back, newForm(deps, visit)))
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  if (form.text(UNMUTE.name) === UNMUTE.value) {
    await endSilence(deps, actor, form.text('silence'))
    return { kind: 'redirect', to: backOf(visit, form.text(MUTE.back)), done: 'unmuted' }
  }
  if (!form.has(MUTE.until)) return askSelected(deps, visit)
  return muteAsAsked(deps, visit)
}

/** Asks for the end of a mute of selected checks, which the form of the list lacks. */
async function askSelected(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const query = readMatch(form)
  const back = projectPath(actor.project.slug, 'checks') + searchOf(query)
  const checks = await readMatching(deps, visit, query)
  if (checks.length === 0) return { kind: 'redirect', to: back, done: 'nothing-selected' }
  requireFew(checks)
  const scope = { checks, tags: [], isProject: false }
  return ask(deps, visit, scope, back)
}

async function muteAsAsked(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form, account } = visit
  const found = await findScope(
    deps,
    visit,
    scopeOf((name) => form.list(name)),
  )
  const wanted = wantedOf(form)
  const reason = form.text(MUTE.reason).replaceAll('\r\n', '\n').trim()
  const times = timesOfChoice(wanted, deps.now(), account.tz)
  const errors: Record<string, string> = {}
  if (typeof times === 'string') errors.day = MISTAKES[times]
  if ([...reason].length > REASON_LIMIT) errors.reason = TOO_LONG
  if (typeof times === 'string' || Object.keys(errors).length > 0) {
    return again(mutePage(await readData(deps, visit, found, form.text(MUTE.back), { ...wanted, reason, errors })))
  }
  await silenceChecks(deps, actor, { ...found.scope, checks: found.checks.map(({ id }) => id) }, times, reason)
  return { kind: 'redirect', to: backOf(visit, form.text(MUTE.back)), done: 'muted' }
}

const MISTAKES = {
  'no-time': 'Choose a day, and type a time such as 08:00.',
  past: 'This is in the past. Choose a later day or time.',
  'too-long': 'This is too long: at most 30 days. Choose an earlier day.',
} as const
const TOO_LONG = `This is too long: write at most ${REASON_LIMIT.toLocaleString('en')} characters.`

/** A scope with its existing checks. */
interface FoundScope {
  readonly scope: MuteScope
  readonly checks: readonly Check[]
}

/** @throws Refusal `not-found` for a scope without an existing check */
async function findScope(deps: PageDeps, { actor }: ProjectVisit, scope: MuteScope): Promise<FoundScope> {
  requireFew(scope.checks)
  const found = await readSelected(deps, actor, scope.checks)
  if (found.length === 0 && scope.tags.length === 0 && !scope.isProject) throw new Refusal('not-found', 'not found')
  const checks = found.map(({ check }) => check)
  return { scope: { ...scope, checks: checks.map(({ publicId }) => publicId) }, checks }
}

async function readData(
  deps: PageDeps,
  visit: ProjectVisit,
  { scope, checks }: FoundScope,
  back: string | null,
  form: MuteForm,
): Promise<MuteData> {
  const { actor } = visit
  return {
    ...contextOf(deps, visit),
    slug: actor.project.slug,
    projectName: actor.project.name,
    scope,
    names: checks.map(({ name }) => name),
    back: backOf(visit, back),
    form,
    muted: await listNamedSilences(deps, actor),
  }
}

/**
 * Reads the scope from an address or a form. Checks win over tags, and tags over the project, so that a form never mutes more than its page
 * showed.
 * @throws Refusal `invalid` for an invalid tag
 */
function scopeOf(valuesOf: (name: string) => readonly string[]): MuteScope {
  const checks = [...new Set(valuesOf(MUTE.check))]
  const tags = checks.length > 0 ? [] : [...new Set(valuesOf(MUTE.tag))]
  requireTags(tags)
  const isProject = checks.length === 0 && tags.length === 0 && valuesOf(MUTE.project).includes('on')
  return { checks, tags, isProject }
}

/** Refuses invalid tags: without them, more would be muted than was requested. @throws Refusal `invalid` */
function requireTags(tags: readonly string[]): void {
  if (tags.length > TAGS_AT_MOST) throw new Refusal('invalid', `name at most ${TAGS_AT_MOST} tags`)
  if (!tags.every(isTag)) throw new Refusal('invalid', 'a tag is one word: name each of them on its own')
}

/** @throws Refusal `too-large` */
function requireFew({ length }: readonly string[]): void {
  if (length <= SILENCED_AT_ONCE) return
  const words = `at most ${SILENCED_AT_ONCE} checks can be muted by their names: mute a tag or the project instead`
  throw new Refusal('too-large', words, { limit: SILENCED_AT_ONCE })
}

function wantedOf(form: Form): WantedEnd {
  const sent = form.text(MUTE.until)
  const choice = END_CHOICES.find((each) => each === sent)
  if (choice === undefined) throw new Refusal('invalid', 'this form has no such end')
  return { choice, day: form.text(UNTIL.day), time: form.text(UNTIL.time) }
}

/** Returns the initial form: until eight o'clock tomorrow. */
function newForm({ now }: PageDeps, { account }: ProjectVisit): MuteForm {
  const tomorrow = now().toZonedDateTimeISO(account.tz).toPlainDate().add({ days: 1 })
  return { choice: 'morning', day: tomorrow.toString(), time: '08:00', reason: '', errors: {} }
}

function backOf({ actor }: ProjectVisit, back: string | null): string {
  return localPath(back) ?? projectPath(actor.project.slug, 'checks')
}
