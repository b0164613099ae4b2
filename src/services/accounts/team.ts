/** The team of a project, as members see it. */
import type { Invitation } from '../../domain/account/invitation.ts'
import type { OwnershipOffer } from '../../domain/account/ownership-offer.ts'
import { rightToGive } from '../../domain/account/role.ts'
import { may, type PersonActor, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { TeamMember } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { listInvitations } from './invitations.ts'
import { findOffer } from './ownership.ts'

export type { TeamMember } from '../../store/store.ts'

/** Most members that are listed. A longer team is cut, and its page says so. */
export const TEAM_LIMIT = 500

export interface Team {
  /** members by email, at most {@link TEAM_LIMIT} */
  readonly members: readonly TeamMember[]
  /** true: there are more members */
  readonly isCut: boolean
  /** the reader; null: an administrator who is not a member of the project */
  readonly own: TeamMember | null
  /** for people who manage members, newest first */
  readonly invitations: readonly Invitation[]
  /** for owners, and for the person who may accept it */
  readonly offer: OwnershipOffer | null
}

export async function readTeam(deps: Pick<Deps, 'store' | 'now'>, actor: PersonActor): Promise<Team> {
  requireRight(actor, 'read')
  const found = await deps.store.team.list(actor.project.id, TEAM_LIMIT + 1)
  return {
    members: found.slice(0, TEAM_LIMIT),
    isCut: found.length > TEAM_LIMIT,
    own: await deps.store.team.find(actor.project.id, actor.by.accountId),
    invitations: may(actor, 'manage') ? await listInvitations(deps, actor) : [],
    offer: await findOffer(deps, actor),
  }
}

/** Whether the actor may change the role of the member, or remove them. */
export function mayChange(actor: PersonActor, { role }: Pick<TeamMember, 'role'>): boolean {
  return may(actor, rightToGive(role))
}

/** Returns a member whom the actor may change. @throws Refusal `not-found`, `forbidden` */
export async function getChangeable(
  { store }: Pick<Deps, 'store'>,
  actor: PersonActor,
  accountId: string,
): Promise<TeamMember> {
  requireRight(actor, 'manage')
  const member = await store.team.find(actor.project.id, accountId)
  if (!member) throw new Refusal('not-found', 'not found')
  requireRight(actor, rightToGive(member.role))
  return member
}
