/** A project's team, as its members see it. */
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

/** Maximum number of members to list. If a team has more, its page says that the list is incomplete. */
export const TEAM_LIMIT = 500

export interface Team {
  /** members, sorted by email address; at most {@link TEAM_LIMIT} */
  readonly members: readonly TeamMember[]
  /** true if there are more members than are listed */
  readonly isCut: boolean
  /** the reader's own membership; null for an administrator who is not a member of the project */
  readonly own: TeamMember | null
  /** newest first; empty unless the reader may manage members */
  readonly invitations: readonly Invitation[]
  /** the current offer of ownership, for owners and for the person who may accept it; null for others */
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

/** Returns true if the actor may remove the member or change the member's role. */
export function mayChange(actor: PersonActor, { role }: Pick<TeamMember, 'role'>): boolean {
  return may(actor, rightToGive(role))
}

/** Returns a member that the actor may change. @throws Refusal `not-found`, `forbidden` */
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
