/** Handles offers of project ownership. An owner makes the offer, and another member accepts or declines it. */
import { OFFER_SECONDS, type OwnershipOffer } from '../../domain/account/ownership-offer.ts'
import { may, type Person, type PersonActor, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { ownershipOfferMail } from '../../domain/mail/account-mails.ts'
import { addSeconds } from '../../lib/time.ts'
import type { OfferOfProject } from '../../store/store.ts'
import { addressed } from '../common/asked-mail.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { canMailLinks, type LinkMailDeps, mailLater } from './mailed-links.ts'

export type { OfferOfProject } from '../../store/store.ts'

type ReadDeps = Pick<Deps, 'store' | 'now'>
type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

const UNSENT = 'the email about an offer of ownership was not sent'

/**
 * Offers the project's ownership to a member, and replaces an earlier offer. If this server sends emails, it notifies the member.
 * @throws Refusal `forbidden`, `member-not-found`
 */
export async function offerOwnership(
  deps: LinkMailDeps,
  actor: PersonActor,
  accountId: string,
): Promise<OwnershipOffer> {
  requireRight(actor, 'own')
  const { project, by } = actor
  const recipient = (await deps.store.team.listMembers(project.id)).find((member) => member.accountId === accountId)
  if (!recipient || accountId === by.accountId) {
    const facts = { name: accountId, project: project.name }
    throw new Refusal('member-not-found', 'a project is offered to another one of its members', facts)
  }
  const createdAt = deps.now()
  const offer: OwnershipOffer = {
    projectId: project.id,
    fromId: by.accountId,
    fromEmail: by.email,
    toId: recipient.accountId,
    toEmail: recipient.email,
    createdAt,
    expiresAt: addSeconds(createdAt, OFFER_SECONDS),
  }
  await deps.store.by(authorOf(deps, by)).offers.create(offer)
  mailOffer(deps, actor, offer)
  return offer
}

/** Mails the offer, unless email is not set up or too many emails were sent already. Pages show the offer in any case. */
function mailOffer(deps: LinkMailDeps, { project, by }: PersonActor, { fromEmail, toEmail }: OwnershipOffer): void {
  const { site, mailboxLimits } = deps
  if (!canMailLinks(deps) || mailboxLimits.ask(toEmail, by) > 0) return
  const url = `${site.links.siteRoot}/p/${project.slug}/team`
  const mail = ownershipOfferMail(addressed(deps, toEmail), project.name, fromEmail, url)
  mailLater(deps, { unsent: UNSENT, unmade: UNSENT }, async () => mail)
}

/**
 * Makes the person an owner, and the previous owner a member.
 * @throws Refusal `offer-ended`, also if the offer was made to another person
 */
export async function acceptOwnership(deps: WriteDeps, { project, by }: PersonActor): Promise<void> {
  return deps.store.by(authorOf(deps, by)).offers.accept(project.id, by.accountId, deps.now())
}

/**
 * Ends an offer when its recipient declines it or an owner withdraws it.
 * @returns the offer
 * @throws Refusal `offer-ended`, `forbidden`
 */
export async function endOwnershipOffer(deps: WriteDeps, actor: PersonActor): Promise<OwnershipOffer> {
  const { project, by } = actor
  return deps.store.by(authorOf(deps, by)).offers.end(project.id, deps.now(), ({ toId }) => {
    if (toId !== by.accountId) requireRight(actor, 'own')
  })
}

/** Returns the project's offer if the actor is an owner or may accept the offer; otherwise null. */
export async function findOffer({ store, now }: ReadDeps, actor: PersonActor): Promise<OwnershipOffer | null> {
  const offer = await store.offers.find(actor.project.id, now())
  return offer && (offer.toId === actor.by.accountId || may(actor, 'own')) ? offer : null
}

/** Lists the ownership offers that the person may accept, oldest first. */
export function listOffersTo({ store, now }: ReadDeps, { accountId }: Person): Promise<OfferOfProject[]> {
  return store.offers.listTo(accountId, now())
}
