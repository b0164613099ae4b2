/** `/p/<project>/team/ownership`: lets an owner offer ownership of the project to another member, who can accept or decline the offer. */
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import { acceptOwnership, endOwnershipOffer, offerOwnership } from '../../../../services/accounts/ownership.ts'
import { readTeam } from '../../../../services/accounts/team.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { empty } from '../../parts/empty.ts'
import { formActs, formButton, linkButton } from '../../parts/forms/buttons.ts'
import { selectField } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from '../forms.ts'
import { ownerRoute, projectRoute } from '../new-route.ts'
import type { TeamData } from './members.ts'
import { ACCEPT, END, OWNERSHIP, TEAM } from './paths.ts'

export function ownershipRoutes(deps: PageDeps): readonly Route[] {
  const teamOf = ({ actor }: ProjectVisit) => projectPath(actor.project.slug, TEAM)
  return [
    ownerRoute('GET', OWNERSHIP, (visit) => offerPage(deps, visit, NO_PROBLEMS)),
    ownerRoute('POST', OWNERSHIP, (visit) => offer(deps, visit)),
    projectRoute('POST', ACCEPT, 'read', async (visit) => {
      await acceptOwnership(deps, visit.actor)
      return { kind: 'redirect', to: teamOf(visit), done: 'ownership-accepted' }
    }),
    projectRoute('POST', END, 'read', async (visit) => {
      const { toId } = await endOwnershipOffer(deps, visit.actor)
      const isOwn = toId === visit.actor.by.accountId
      return { kind: 'redirect', to: teamOf(visit), done: isOwn ? 'ownership-declined' : 'ownership-withdrawn' }
    }),
  ]
}

function offer(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const page = (problems: FormProblems) => offerPage(deps, visit, problems)
  return orFormAgain({ refused: { 'member-not-found': 'to' }, page, words: chooseWords }, async () => {
    await offerOwnership(deps, actor, form.text('to'))
    return { kind: 'redirect', to: projectPath(actor.project.slug, TEAM), done: 'ownership-offered' }
  })
}

function chooseWords(): string {
  return 'Choose a member of the project who is not suspended.'
}

async function offerPage(deps: PageDeps, visit: ProjectVisit, { fields }: FormProblems): Promise<FrameContent> {
  const { actor, site } = visit
  const { href } = site
  const { slug, name } = actor.project
  const { members } = await readTeam(deps, actor)
  const recipients = members.filter(({ role, isSuspended }) => role !== 'owner' && !isSuspended)
  const team = projectPath(slug, TEAM)
  const form = html`<form class="form" method="post" action="${href(projectPath(slug, OWNERSHIP))}">
<p>The person gets an offer on the team page and on the overview${canMailLinks(deps) && ', and an email'}. It is valid for seven days. If they accept, they become an owner and you become a member.</p>
${selectField({
  name: 'to',
  label: 'New owner',
  value: visit.form.text('to'),
  options: recipients.map(({ accountId, email }) => [accountId, shown(email)]),
  error: fields.to,
  hasFocus: fields.to !== undefined,
})}
${formActs({ text: 'Offer project', look: 'primary' }, href(team))}
</form>`
  return {
    layout: 'frame',
    title: 'Offer project',
    heading: html`Offer ${bdi(name)} to someone`,
    crumbs: [{ path: team, text: 'Team' }],
    isNarrow: true,
    body:
      recipients.length > 0
        ? form
        : empty({
            title: 'No one to offer it to',
            text: 'A project can only be offered to its members. Invite the person first.',
            actions: linkButton({ text: 'Go to the team', href: href(team) }),
          }),
  }
}

/** Renders the offer for the user who can accept it. */
export function offerToYou({ href, actor, team: { offer }, now, tz }: TeamData): Html | null {
  if (offer?.toId !== actor.by.accountId) return null
  const path = (page: string) => href(projectPath(actor.project.slug, page))
  return card({
    title: 'The project is offered to you',
    body: html`<div class="stack"><p>${bdi(offer.fromEmail)} offers to transfer this project to you. You would become its owner, and ${bdi(offer.fromEmail)} would become a member. The offer expires ${relativeTime(offer.expiresAt, now, tz)}.</p>
<div class="acts">${formButton({ text: 'Accept ownership', look: 'primary', action: path(ACCEPT) })}${formButton({ text: 'Decline', action: path(END) })}</div></div>`,
  })
}

/** Renders the offer for project members who are owners. Administrators can change roles directly instead. */
export function ownershipCard({ href, actor, team: { own, offer }, now, tz }: TeamData): Html | null {
  if (own?.role !== 'owner') return null
  const path = (page: string) => href(projectPath(actor.project.slug, page))
  const text =
    offer === null
      ? html`<p>Give the project to another member, who has to accept it.</p>
<div class="acts">${linkButton({ text: 'Offer project…', href: path(OWNERSHIP) })}</div>`
      : html`<p>${bdi(offer.fromEmail)} has offered it to ${bdi(offer.toEmail)}. The offer expires ${relativeTime(offer.expiresAt, now, tz)}.</p>
<div class="acts">${formButton({ text: 'Withdraw offer', action: path(END) })}</div>`
  return card({ title: 'Ownership', body: html`<div class="stack">${text}</div>` })
}
