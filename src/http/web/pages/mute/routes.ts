/**
 * `/p/<project>/mute?tag=…`, `?project=on`, and `mute` below a check's URL: mutes and unmutes checks. The list of checks posts the selected
 * checks to this page.
 */

import { Refusal } from '../../../../domain/errors.ts'
import { END_CHOICES, timesOfChoice, type WantedEnd } from '../../../../domain/silence/choice.ts'
import { findHiddenChecks, readCalendar } from '../../../../services/silences/planned.ts'
import { listNamedSilences, nameSilences, silenceChecks } from '../../../../services/silences/silence-checks.ts'
import { endSilence } from '../../../../services/silences/silences.ts'
import { contextOf } from '../../context.ts'
import type { Form } from '../../form.ts'
import { checkPath, projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { UNTIL } from '../../parts/forms/until-fields.ts'
import { MUTE, type MuteScope, SILENCE, UNMUTE } from '../../parts/mute.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { BULK_FORM_LIMIT, readMatch, readMatching } from '../checks/bulk.ts'
import { searchOf } from '../checks/query.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import type { MuteData, MuteForm } from './data.ts'
import { mutePage } from './page.ts'
import { planRoutes } from './plan/routes.ts'
import { readReason, reasonErrors } from './reason.ts'
import { backOf, type FoundScope, findScope, requireFew, scopeOf } from './scope.ts'

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
    ...planRoutes(deps),
  ]
}

async function ask(deps: PageDeps, visit: ProjectVisit, scope: MuteScope, back: string | null): Promise<PageAnswer> {
  const found = await findScope(deps, visit, scope)
  return mutePage(await readData(deps, visit, found, back, newForm(deps, visit)))
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  if (form.text(UNMUTE.name) === UNMUTE.value) {
    await endSilence(deps, actor, form.text(SILENCE))
    return { kind: 'redirect', to: backOf(visit, form.text(MUTE.back)), done: 'unmuted' }
  }
  if (!form.has(MUTE.until)) return askSelected(deps, visit)
  return muteAsAsked(deps, visit)
}

/** Asks when to unmute the selected checks. The list of checks has no field for that time. */
async function askSelected(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const query = readMatch(form)
  const back = projectPath(actor.project.slug, 'checks') + searchOf(query)
  const checks = await readMatching(deps, visit, query)
  if (checks.length === 0) return { kind: 'redirect', to: back, done: 'nothing-selected' }
  requireFew(checks)
  return ask(deps, visit, { checks, tags: [], isProject: false }, back)
}

async function muteAsAsked(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form, account } = visit
  const found = await findScope(
    deps,
    visit,
    scopeOf((name) => form.list(name)),
  )
  const wanted = wantedOf(form)
  const reason = readReason(form)
  const times = timesOfChoice(wanted, deps.now(), account.tz)
  const errors = { ...reasonErrors(reason), ...(typeof times === 'string' && { day: MISTAKES[times] }) }
  if (typeof times === 'string' || Object.keys(errors).length > 0) {
    return again(mutePage(await readData(deps, visit, found, form.text(MUTE.back), { ...wanted, reason, errors })))
  }
  await silenceChecks(deps, actor, { ...found.scope, checks: found.checks.map(({ id }) => id) }, times, reason)
  return { kind: 'redirect', to: backOf(visit, form.text(MUTE.back)), done: 'muted' }
}

const MISTAKES = {
  'no-time': 'Choose a day, and type a time such as 08:00.',
  past: 'This time is in the past. Choose a later day or time.',
  'too-long': 'This is too long: a mute lasts at most 30 days. Choose an earlier day.',
} as const

async function readData(
  deps: PageDeps,
  visit: ProjectVisit,
  { scope, checks }: FoundScope,
  back: string | null,
  form: MuteForm,
): Promise<MuteData> {
  const { actor } = visit
  const muted = await listNamedSilences(deps, actor)
  const calendar = await readCalendar(deps, actor)
  const planned = calendar.occurrences.map(({ silence }) => silence)
  return {
    ...contextOf(deps, visit),
    slug: actor.project.slug,
    projectName: actor.project.name,
    scope,
    names: checks.map(({ name }) => name),
    back: backOf(visit, back),
    form,
    muted,
    hidden: await findHiddenChecks(
      deps,
      actor,
      muted.first.map(({ silence }) => silence),
    ),
    calendar,
    planned: await nameSilences(deps, actor, [...new Set(planned)]),
  }
}

function wantedOf(form: Form): WantedEnd {
  const sent = form.text(MUTE.until)
  const choice = END_CHOICES.find((each) => each === sent)
  if (choice === undefined) throw new Refusal('invalid', 'this form has no such end')
  return { choice, day: form.text(UNTIL.day), time: form.text(UNTIL.time) }
}

/** Returns the form's initial values. The default end is 08:00 tomorrow, in the user's time zone. */
function newForm({ now }: PageDeps, { account }: ProjectVisit): MuteForm {
  const tomorrow = now().toZonedDateTimeISO(account.tz).toPlainDate().add({ days: 1 })
  return { choice: 'morning', day: tomorrow.toString(), time: '08:00', reason: '', errors: {} }
}
