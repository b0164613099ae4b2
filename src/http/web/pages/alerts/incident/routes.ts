/**
 * `/p/<project>/alerts/<public id>-<n>`: an incident, and the actions that users can take on it. Alert messages contain a short URL that
 * redirects to this page.
 */
import { readDayTime } from '../../../../../domain/day-time.ts'
import { Refusal } from '../../../../../domain/errors.ts'
import { NOTE_LIMIT } from '../../../../../domain/incident/event.ts'
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import { readNote, readTaking } from '../../../../../domain/incident/spec.ts'
import { findCheckByPublicIdAnywhere } from '../../../../../services/accounts/addresses.ts'
import { type IncidentName, readIncidentPage } from '../../../../../services/incidents/incident-page.ts'
import {
  handBackIncident,
  type NamedIncident,
  noteIncident,
  takeIncident,
} from '../../../../../services/incidents/incidents.ts'
import { incidentPath } from '../../../href.ts'
import type { PageDeps } from '../../../page.ts'
import { UNTIL } from '../../../parts/forms/until-fields.ts'
import type { ToastCode } from '../../../parts/toast.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { checkContext } from '../../check/context.ts'
import { again, type FormProblems, orFormAgain } from '../../forms.ts'
import { incidentAnswer } from '../../incident-answer.ts'
import { accountRoute, projectRoute } from '../../new-route.ts'
import { readIncidentName } from '../query.ts'
import { INCIDENT_ACTIONS, type IncidentData, ownPath } from './context.ts'
import { incidentPage, NO_NOTE } from './page.ts'
import { isTakenOver, TAKES_OVER, type TakeForm, takePage } from './take-page.ts'

/** Returns an incident's routes, except the one for its page. That page shares its route with an alert's page. */
export function incidentRoutes(deps: PageDeps): readonly Route[] {
  const take = 'alerts/:alert/take'
  return [
    projectRoute('GET', take, 'write', (visit) => showTake(deps, visit)),
    projectRoute('POST', take, 'write', (visit) => takeAsAsked(deps, visit)),
    accountRoute('GET', '/i/:incident', async ({ person, params }) => {
      const { checkPublicId, n } = nameIn(params.incident)
      const found = await findCheckByPublicIdAnywhere(deps, person, checkPublicId)
      if (found === null) throw new Refusal('not-found', 'not found')
      return { kind: 'redirect', to: incidentPath(found.actor.project.slug, found.publicId, n) }
    }),
  ]
}

/** @throws Refusal `not-found` */
export async function incidentData(deps: PageDeps, visit: ProjectVisit, name: IncidentName): Promise<IncidentData> {
  const { actor, account } = visit
  const page = await readIncidentPage(deps, actor, name)
  const context = checkContext(visit, page.now, page.view.check.publicId)
  return { page, context, me: { kind: 'person', accountId: account.id, name: account.email } }
}

export async function showIncident(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  return incidentPage(await incidentData(deps, visit, nameIn(visit.params.alert)), NO_NOTE)
}

/** @throws Refusal `not-found`; `invalid` for an unknown action */
export async function actOnIncident(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const data = await incidentData(deps, visit, nameIn(visit.params.alert))
  const named = namedIn(data)
  switch (form.text('action')) {
    case INCIDENT_ACTIONS.take.value:
      return orWhy(data, 'incident-taken', () =>
        takeIncident(deps, actor, named, { note: '', until: null, takesOver: false }),
      )
    case INCIDENT_ACTIONS.handBack.value:
      return orWhy(data, 'incident-handed-back', () => handBackIncident(deps, actor, named))
    case INCIDENT_ACTIONS.note.value: {
      const text = form.text('note')
      const note = readNote({ text: withLines(text) })
      if (typeof note === 'string') return again(incidentPage(data, { text, error: noteMistake(text) }))
      const page = ({ fields }: FormProblems) => incidentPage(data, { text, error: fields.note ?? null })
      return orFormAgain({ refused: { 'notes-full': 'note' }, page }, async () => {
        await noteIncident(deps, actor, named, note.text)
        return { kind: 'redirect', to: ownPath(data), done: 'note-added' }
      })
    }
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

async function showTake(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const data = await incidentData(deps, visit, nameIn(visit.params.alert))
  if (data.page.incident.resolvedAt !== null) return { kind: 'redirect', to: ownPath(data), done: 'incident-over' }
  const before = isTakenOver(data) ? null : whoIsOn(data.page.incident, data.page.now)
  return takePage(data, { note: before?.note ?? '', day: '', time: '08:00', errors: {} })
}

async function takeAsAsked(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form, account } = visit
  const data = await incidentData(deps, visit, nameIn(visit.params.alert))
  const sent: TakeForm = {
    note: form.text('note'),
    day: form.text(UNTIL.day),
    time: form.text(UNTIL.time),
    errors: {},
  }
  const until = sent.day === '' ? undefined : readDayTime(sent.day, sent.time, account.tz)
  if (until === null) return again(takePage(data, { ...sent, errors: { day: NO_TIME } }))
  const body = {
    note: withLines(sent.note),
    ...(until && { until: until.toString() }),
    takes_over: form.has(TAKES_OVER),
  }
  const taking = readTaking(body, data.page.now)
  if (typeof taking === 'string') {
    const field = taking.startsWith('until') ? 'day' : 'note'
    return again(takePage(data, { ...sent, errors: { [field]: field === 'day' ? PAST : noteMistake(sent.note) } }))
  }
  return orWhy(data, 'incident-taken', () => takeIncident(deps, actor, namedIn(data), taking))
}

const NO_TIME = 'Type a time such as 08:00, or choose “until the check recovers”.'
const PAST = 'This time is in the past. Choose a later day or time.'

function noteMistake(text: string): string {
  if (text.trim() === '') return 'The note is empty. Write something first.'
  return `This note is too long: write at most ${NOTE_LIMIT.toLocaleString('en')} characters.`
}

/** Normalizes line endings. Forms submit each line ending as two characters, and both would count toward the length limit. */
function withLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function orWhy(data: IncidentData, done: ToastCode, work: () => Promise<unknown>): Promise<PageAnswer> {
  return incidentAnswer((page) => ownPath(data, page), done, work)
}

function namedIn({ page: { view, incident } }: IncidentData): NamedIncident {
  return { check: view.check, n: incident.n }
}

/** @throws Refusal `not-found` */
function nameIn(text: string | undefined): IncidentName {
  const name = readIncidentName(text ?? '')
  if (name === null) throw new Refusal('not-found', 'not found')
  return name
}
