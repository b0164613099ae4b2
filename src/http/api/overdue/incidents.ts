/**
 * `incidents`: check outages, their events, and the members who have taken them. Incidents open and end when a check's status
 * changes; requests cannot open or end them.
 */
import type { Actor } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { readIncidentId, representEvent, representIncident } from '../../../domain/incident/represent.ts'
import { readNote, readRelease, readTaking } from '../../../domain/incident/spec.ts'
import { type Static, Text, Type } from '../../../domain/schema.ts'
import { isUuid } from '../../../lib/secrets/uuid.ts'
import { getCheck, getCheckByUniqueKey } from '../../../services/checks/checks.ts'
import { longReaderOf } from '../../../services/common/long-reads.ts'
import {
  handBackIncident,
  type NamedIncident,
  noteIncident,
  type OpenedIncident,
  openIncidentOf,
  takeIncident,
} from '../../../services/incidents/incidents.ts'
import { type IncidentFilter, listIncidents } from '../../../services/incidents/list.ts'
import { JSON_TYPE } from '../../headers.ts'
import { enclosed, membersOf } from '../../json-list.ts'
import { longAnswer } from '../../long-answer.ts'
import { type ApiDeps, door, type Resource } from '../door/door.ts'
import { UUID } from '../door/path-parameters.ts'
import { readQuery } from '../door/validation.ts'
import { readBody } from './bodies.ts'

const LIST = { path: '/incidents', methods: { GET: 'read' } } as const satisfies Resource
const ONE = { path: '/incidents/:incident', methods: { GET: 'read' } } as const satisfies Resource
const ACKNOWLEDGE = { path: '/incidents/:incident/acknowledge', methods: { POST: 'write' } } as const satisfies Resource
const RELEASE = { path: '/incidents/:incident/release', methods: { POST: 'write' } } as const satisfies Resource
const NOTES = { path: '/incidents/:incident/notes', methods: { POST: 'write' } } as const satisfies Resource

export const IncidentsQuery = Type.Object({
  open: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: '`true`: only open incidents. `false`: only incidents that have ended.',
    }),
  ),
  check: Type.Optional(
    Text({
      pattern: `^(?:${UUID}|[0-9a-f]{40})$`,
      description: 'Only incidents of this check, given as its UUID or unique key.',
    }),
  ),
  tag: Type.Optional(Type.String({ description: 'Only incidents of checks with this tag.' })),
})

export function incidents(deps: ApiDeps) {
  const list = door(deps, LIST).get(LIST.path, async ({ actor, request }) => {
    const filter = await filterOf(deps, actor, readQuery(request, IncidentsQuery))
    const pages = listIncidents(deps, actor, filter)
    const members = membersOf(pages, (page) => page.map((found) => representIncident(found)))
    return longAnswer(deps, longReaderOf(actor), enclosed(members, { open: '{"incidents":[', close: ']}' }), JSON_TYPE)
  })

  const one = door(deps, ONE).get(ONE.path, async ({ actor, params }) => {
    const named = await find(deps, actor, params.incident)
    return representOpened(await openIncidentOf(deps, actor, named))
  })

  const acknowledge = door(deps, ACKNOWLEDGE).post(ACKNOWLEDGE.path, async ({ actor, body, params }) => {
    const named = await find(deps, actor, params.incident)
    const taking = readBody(body, (asked) => readTaking(asked, deps.now()))
    const incident = await takeIncident(deps, actor, named, taking)
    return representIncident({ check: named.check, incident })
  })

  const release = door(deps, RELEASE).post(RELEASE.path, async ({ actor, body, params }) => {
    const named = await find(deps, actor, params.incident)
    readBody(body, readRelease)
    const incident = await handBackIncident(deps, actor, named)
    return representIncident({ check: named.check, incident })
  })

  const notes = door(deps, NOTES).post(NOTES.path, async ({ actor, body, params, set }) => {
    const named = await find(deps, actor, params.incident)
    const { text } = readBody(body, readNote)
    await noteIncident(deps, actor, named, text)
    set.status = 201
    return representOpened(await openIncidentOf(deps, actor, named))
  })

  return [list, one, acknowledge, release, notes]
}

function representOpened(opened: OpenedIncident) {
  return { ...representIncident(opened), events: opened.events.map(representEvent) }
}

/** @throws Refusal `not-found`; `forbidden` if the check in the filter belongs to another project */
async function filterOf(
  deps: ApiDeps,
  actor: Actor,
  { open, check: id, tag }: Static<typeof IncidentsQuery>,
): Promise<IncidentFilter> {
  const found = id === undefined ? null : await (isUuid(id) ? getCheck : getCheckByUniqueKey)(deps, actor, id)
  return { isOpen: open === undefined ? null : open === 'true', checkId: found?.check.id ?? null, tag: tag ?? null }
}

/** @throws Refusal `not-found` if the project has no such incident */
async function find(deps: ApiDeps, actor: Actor, id: string): Promise<NamedIncident> {
  const named = readIncidentId(id)
  if (named === null) throw new Refusal('not-found', 'not found')
  const { check } = await getCheckByUniqueKey(deps, actor, named.checkKey)
  return { check, n: named.n }
}
