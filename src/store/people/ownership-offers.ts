/**
 * Stores ownership offers. An offer is valid only while it can be accepted, that is, while the sender still owns the project and the recipient
 * is still a member.
 */
import type { OfferEnd, OwnershipOffer } from '../../domain/account/ownership-offer.ts'
import type { Role } from '../../domain/account/role.ts'
import { auditedOffer } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { OfferOfProject } from '../interface/team.ts'
import { findProject } from '../projects/projects.ts'
import { columns, instant, named, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { findMember, writeMember } from './accounts.ts'
import { findTeamMember } from './team.ts'
import { deleteToken, insertToken } from './tokens.ts'

/** Columns of a token row together with the emails of the sender and the recipient. */
const OFFERS = columns<OwnershipOffer>({
  projectId: named('lookup', text),
  fromId: named('made_by', text),
  fromEmail: text,
  toId: named('account_id', text),
  toEmail: text,
  createdAt: instant,
  expiresAt: instant,
})

const SELECT = `
  SELECT offers.*, givers.email AS from_email, takers.email AS to_email
  FROM tokens AS offers
  JOIN members AS giving ON giving.project_id = offers.lookup AND giving.account_id = offers.made_by
    AND giving.role = 'owner'
  JOIN members AS taking ON taking.project_id = offers.lookup AND taking.account_id = offers.account_id
  JOIN accounts AS givers ON givers.id = offers.made_by
  JOIN accounts AS takers ON takers.id = offers.account_id
  WHERE offers.purpose = 'ownership-offer' AND offers.expires_at > $2`
const FIND = `${SELECT} AND offers.lookup = $1`
const LIST_TO = `${SELECT} AND offers.account_id = $1 ORDER BY offers.created_at, offers.lookup`

/** Finds a project's ownership offer. @returns null if there is no valid offer */
export function findOffer(sql: Sql, projectId: string, now: Instant): Promise<OwnershipOffer | null> {
  return OFFERS.get(sql, FIND, [projectId, toMicroseconds(now)])
}

/** Lists the offers that an account can accept, oldest first. */
export async function listOffersTo(sql: Sql, accountId: string, now: Instant): Promise<OfferOfProject[]> {
  const found: OfferOfProject[] = []
  for (const offer of await OFFERS.all(sql, LIST_TO, [accountId, toMicroseconds(now)])) {
    const project = await findProject(sql, offer.projectId)
    if (project) found.push({ offer, project })
  }
  return found
}

/**
 * Stores an ownership offer. Replaces the project's earlier offer.
 * @throws Refusal `forbidden` if the sender does not own the project; `member-not-found` if the recipient is not a member or is suspended
 */
export async function offerOwnership(sql: Sql, trail: AuditTrail, offer: OwnershipOffer): Promise<void> {
  const { projectId, fromId, toId, toEmail, createdAt, expiresAt } = offer
  await sql.lock('project', [projectId])
  const sender = await findMember(sql, fromId, projectId)
  if (sender?.role !== 'owner') throw new Refusal('forbidden', 'only an owner can offer a project to somebody else')
  const recipient = await findTeamMember(sql, projectId, toId)
  if (!recipient || recipient.isSuspended) {
    const project = (await findProject(sql, projectId))?.name ?? ''
    const what = recipient ? 'is suspended, and could not accept' : 'is not a member of'
    const message = `"${toEmail}" ${what} the project "${project}"`
    throw new Refusal('member-not-found', message, { name: toEmail, project })
  }
  const before = await findOffer(sql, projectId, createdAt)
  await deleteToken(sql, projectId)
  await insertToken(sql, {
    lookup: projectId,
    purpose: 'ownership-offer',
    accountId: toId,
    projectId,
    madeBy: fromId,
    createdAt,
    expiresAt,
  })
  await trail.note(before && auditedOffer(before), auditedOffer(offer))
}

/** Makes the recipient an owner and the sender a member. @throws Refusal `offer-ended`, even if there is an offer to another account */
export async function acceptOffer(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  accountId: string,
  now: Instant,
): Promise<void> {
  const offer = await lockOffer(sql, projectId, now)
  if (offer.toId !== accountId) throw offerEnded()
  const become = (id: string, email: string, role: Role) =>
    writeMember(sql, trail, { accountId: id, projectId, role, createdAt: now }, email)
  await deleteOffer(sql, trail, offer, 'accepted')
  await become(offer.toId, offer.toEmail, 'owner')
  await become(offer.fromId, offer.fromEmail, 'member')
}

/** Declines or withdraws an offer. @param allow called with the offer; throws to reject the change @throws Refusal `offer-ended` */
export async function endOffer(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  now: Instant,
  allow: (offer: OwnershipOffer) => void,
): Promise<OwnershipOffer> {
  const offer = await lockOffer(sql, projectId, now)
  allow(offer)
  await deleteOffer(sql, trail, offer, trail.author.accountId === offer.toId ? 'declined' : 'withdrawn')
  return offer
}

/** @throws Refusal `offer-ended` */
async function lockOffer(sql: Sql, projectId: string, now: Instant): Promise<OwnershipOffer> {
  await sql.lock('project', [projectId])
  const offer = await findOffer(sql, projectId, now)
  if (!offer) throw offerEnded()
  return offer
}

async function deleteOffer(sql: Sql, trail: AuditTrail, offer: OwnershipOffer, end: OfferEnd): Promise<void> {
  await deleteToken(sql, offer.projectId)
  await trail.note(auditedOffer(offer, end), null)
}

function offerEnded(): Refusal {
  return new Refusal('offer-ended', 'this offer was accepted, declined or withdrawn, or has expired')
}
