/**
 * `/p/<project>/mute/window?c=…`: lets users plan a window for checks, tags or the project. With `?silence=…`, the form changes an existing
 * mute.
 */
import { Refusal } from '../../../../../domain/errors.ts'
import { isChangeable, type Silence, type SilenceTimes } from '../../../../../domain/silence/silence.ts'
import { newPlan, readPlan, type TypedPlan, typedPlan } from '../../../../../domain/silence/typed-plan.ts'
import { isBlankWindow } from '../../../../../domain/silence/typed-window.ts'
import { findHiddenChecks, type HiddenCheck } from '../../../../../services/silences/planned.ts'
import { nameSilences, silenceChecks } from '../../../../../services/silences/silence-checks.ts'
import { changeSilence, getSilence } from '../../../../../services/silences/silences.ts'
import { contextOf } from '../../../context.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { MUTE, type MuteScope, mutePath, PLAN_PAGE, SILENCE } from '../../../parts/mute.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { BULK_FORM_LIMIT } from '../../checks/bulk.ts'
import { again } from '../../forms.ts'
import { projectRoute } from '../../new-route.ts'
import { silencedWords } from '../names.ts'
import { readReason, reasonErrors } from '../reason.ts'
import { backOf, type FoundScope, findScope, scopeOf } from '../scope.ts'
import { belowPlanFields, meaningPart, type PlanData, planPage } from './form.ts'
import { PREVIEW, planMeaning } from './preview.ts'
import { PLAN, planErrors, readPlanForm } from './values.ts'

export function planRoutes(deps: PageDeps): readonly Route[] {
  const rules = { formLimit: BULK_FORM_LIMIT }
  return [
    projectRoute('GET', PLAN_PAGE, 'write', (visit) => {
      const { searchParams } = visit.url
      return ask(deps, visit, (name) => searchParams.getAll(name))
    }),
    projectRoute('POST', PLAN_PAGE, 'write', (visit) => act(deps, visit), rules),
    projectRoute('POST', `${PLAN_PAGE}/preview`, 'write', (visit) => preview(deps, visit), rules),
  ]
}

/** The checks that a new window applies to, or the silence that is being changed. */
interface Planned {
  readonly found: FoundScope
  readonly stored: Silence | null
}

type Values = (name: string) => readonly string[]

async function findPlanned(deps: PageDeps, visit: ProjectVisit, values: Values): Promise<Planned> {
  const [id] = values(SILENCE)
  if (id === undefined) return { found: await findScope(deps, visit, scopeOf(values)), stored: null }
  const stored = await getSilence(deps, visit.actor, id)
  const words = 'this mute cannot be changed: end it, and mute the checks again'
  if (!isChangeable(stored)) throw new Refusal('invalid', words)
  return { found: { scope: { checks: [], tags: [], isProject: false }, checks: [] }, stored }
}

/** Shows the form with its initial values. The mute page's button submits the reason that the user typed there. */
async function ask(deps: PageDeps, visit: ProjectVisit, values: Values): Promise<PageAnswer> {
  const planned = await findPlanned(deps, visit, values)
  const { tz } = visit.account
  const { stored } = planned
  const typed = stored === null ? newPlan(deps.now(), tz) : typedPlan(stored, deps.now(), tz)
  const [reason = stored?.reason ?? ''] = values(MUTE.reason)
  return shown(deps, visit, planned, values, typed, reason)
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form, account } = visit
  const values: Values = (name) => form.list(name)
  if (!form.has(PLAN.kind)) return ask(deps, visit, values)
  const planned = await findPlanned(deps, visit, values)
  const typed = readPlanForm(form)
  const reason = readReason(form)
  const { times } = readPlan(typed, deps.now(), account.tz, planned.stored)
  const isWrong = times === null || Object.keys(reasonErrors(reason)).length > 0
  if (isWrong) return again(await shown(deps, visit, planned, values, typed, reason))
  if (form.text(PREVIEW.name) === PREVIEW.value) return shown(deps, visit, planned, values, typed, reason)
  const { stored, found } = planned
  const back = backOf(visit, form.text(MUTE.back))
  if (stored === null) {
    await silenceChecks(deps, actor, { ...found.scope, checks: found.checks.map(({ id }) => id) }, times, reason)
    return { kind: 'redirect', to: nextPath(actor.project.slug, found.scope, back), done: 'window-planned' }
  }
  await changeSilence(deps, actor, stored.id, (present, now) => {
    const { times: changed } = readPlan(typed, now, account.tz, present)
    if (changed === null) throw new Refusal('invalid', 'the mute has changed in the meantime: open the page again')
    return { ...present, ...changed, reason }
  })
  return { kind: 'redirect', to: back, done: 'mute-changed' }
}

/** Returns the URL of the mute page, which lists the planned window. If there are too many checks for a URL, they are omitted. */
function nextPath(slug: string, scope: MuteScope, back: string): string {
  const isShort = scope.checks.length <= 1
  return mutePath(slug, isShort ? scope : { checks: [], tags: [], isProject: true }, back)
}

async function preview(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { form } = visit
  const planned = await findPlanned(deps, visit, (name) => form.list(name))
  const typed = readPlanForm(form)
  const { errors, meaning } = await meant(deps, visit, planned, typed, '')
  return { kind: 'fragment', fragment: html`${meaningPart(meaning)}${belowPlanFields({ typed, errors })}` }
}

async function shown(
  deps: PageDeps,
  visit: ProjectVisit,
  planned: Planned,
  values: Values,
  typed: TypedPlan,
  reason: string,
): Promise<FrameContent> {
  const { project } = visit.actor
  const { stored, found } = planned
  const [named] = stored === null ? [] : await nameSilences(deps, visit.actor, [stored])
  return planPage({
    ...contextOf(deps, visit),
    ...(await meant(deps, visit, planned, typed, reason)),
    slug: project.slug,
    projectName: project.name,
    scope: found.scope,
    names: found.checks.map(({ name }) => name),
    changed: named === undefined ? null : { id: named.silence.id, words: silencedWords(named, project.name) },
    back: backOf(visit, values(MUTE.back)[0] ?? null),
    typed,
    reason,
  })
}

/**
 * Returns an explanation of the fields, along with any mistakes. Empty fields of a recurring window count as mistakes only once the user
 * submits the form.
 */
async function meant(
  deps: PageDeps,
  visit: ProjectVisit,
  { found, stored }: Planned,
  typed: TypedPlan,
  reason: string,
): Promise<Pick<PlanData, 'errors' | 'meaning'>> {
  const context = contextOf(deps, visit)
  const { times, mistakes } = readPlan(typed, context.now, context.tz, stored)
  const isBlank = typed.kind === 'again' && isBlankWindow(typed.window) && !isSent(visit)
  const errors = { ...(!isBlank && planErrors(mistakes)), ...reasonErrors(reason) }
  const hidden = times === null ? [] : await hiddenBy(deps, visit, times, found, stored)
  return { errors, meaning: planMeaning(times, hidden, context) }
}

function isSent({ form, url }: ProjectVisit): boolean {
  return form.has(PLAN.kind) && !url.pathname.endsWith('/preview')
}

async function hiddenBy(
  deps: PageDeps,
  { actor }: ProjectVisit,
  times: SilenceTimes,
  { scope, checks }: FoundScope,
  stored: Silence | null,
): Promise<readonly HiddenCheck[]> {
  const match = stored?.match ?? { checks: checks.map(({ id }) => id), tags: scope.tags }
  const tried = { ...times, match, projectId: actor.project.id, upTo: stored?.upTo ?? 'down' } as const
  return (await findHiddenChecks(deps, actor, [tried])).get(tried) ?? []
}
