/** Finds an incident by its id, or finds the newest incident of a check. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { getCheckByPublicId } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { NamedIncident } from '../../services/incidents/incidents.ts'
import { listIncidents } from '../../services/incidents/list.ts'
import { openCheck } from '../check/find-check.ts'
import type { Context } from '../command.ts'
import { openProject } from '../project/open-project.ts'

/** Returns the incident id that page URLs contain: the check's public id and the incident number. */
export function shownId({ publicId }: Pick<Check, 'publicId'>, { n }: Pick<Incident, 'n'>): string {
  return `${publicId}-${n}`
}

const ID = /^([a-z0-9]{8})-([1-9]\d{0,14})$/

export interface FoundIncident extends NamedIncident {
  readonly deps: Deps
  readonly actor: Actor
}

/**
 * Finds an incident. A text that is both an incident id and a check's slug is used as the incident id. @throws Refusal if there is no such
 * incident
 */
export async function openIncident(context: Context): Promise<FoundIncident> {
  return (await byId(context)) ?? (await ofCheck(context))
}

async function byId({ openDeps, values, argument: typed }: Context): Promise<FoundIncident | null> {
  const [, publicId = '', n] = ID.exec(typed) ?? []
  if (publicId === '') return null
  const { deps, actor } = await openProject({ openDeps, values })
  const found = await getCheckByPublicId(deps, actor, publicId).catch(nullIfMissing)
  return found && { deps, actor, check: found.check, n: Number(n) }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Refusal && error.code === 'not-found') return null
  throw error
}

async function ofCheck(context: Context): Promise<FoundIncident> {
  const { deps, actor, found } = await openCheck(context)
  const { check } = found
  for await (const [newest] of listIncidents(deps, actor, { isOpen: null, checkId: check.id, tag: null })) {
    if (newest !== undefined) return { deps, actor, check, n: newest.incident.n }
  }
  throw notFound(context.argument, `the check "${check.name || check.id}" has had no incident`)
}

export function notFound(name: string, message = `there is no incident "${name}"`): Refusal {
  return new Refusal('incident-not-found', message, { name })
}
