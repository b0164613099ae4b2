/**
 * `/p/<project>/team`: a project's members. All members can see the page. Managers invite and change members, and owners can transfer
 * ownership.
 */
import { may } from '../../../../domain/actor.ts'
import { invite, revokeInvitation } from '../../../../services/accounts/invitations.ts'
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import { readTeam } from '../../../../services/accounts/team.ts'
import { readRole } from '../../../../services/projects/members.ts'
import { contextOf } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { siteNote } from '../../parts/reach-note.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { createdInvitationRoutes, toCreatedInvitation } from './created-invitation.ts'
import { type InviteValues, inviteCard } from './invitations.ts'
import { leaveCard, leaveRoutes } from './leave.ts'
import { makesOwner, memberRoutes } from './member.ts'
import { membersTable } from './members.ts'
import { offerToYou, ownershipCard, ownershipRoutes } from './ownership.ts'
import { INVITATIONS, REVOKE, TEAM } from './paths.ts'

export function teamRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', TEAM, 'read', (visit) => teamPage(deps, visit)),
    // This page has no content of its own, but users may be sent back to it if their form could not be submitted.
    projectRoute('GET', INVITATIONS, 'manage', ({ actor }) => ({
      kind: 'redirect',
      to: projectPath(actor.project.slug, TEAM),
    })),
    projectRoute('POST', INVITATIONS, 'manage', (visit) => createInvitation(deps, visit), { isSensitive: makesOwner }),
    projectRoute('POST', REVOKE, 'manage', async ({ actor, form }) => {
      await revokeInvitation(deps, actor, form.text('invitation'))
      return { kind: 'redirect', to: projectPath(actor.project.slug, TEAM), done: 'invitation-revoked' }
    }),
    ...createdInvitationRoutes(deps),
    ...memberRoutes(deps),
    ...leaveRoutes(deps),
    ...ownershipRoutes(deps),
  ]
}

const NEW: InviteValues = { email: '', role: 'member' }

async function createInvitation(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const values = { email: form.text('email').trim(), role: readRole(form.text('role')) }
  const page = (problems: FormProblems) => teamPage(deps, visit, values, problems)
  const refused = { 'email-invalid': 'email', 'invitations-full': WHOLE, 'over-limit': WHOLE, 'request-failed': WHOLE }
  return orFormAgain({ refused, page, words: signInWords }, async () => {
    const { url } = await invite(deps, actor, values.role, values.email === '' ? null : values.email)
    if (url !== null) return toCreatedInvitation(deps, visit, url)
    return { kind: 'redirect', to: projectPath(actor.project.slug, TEAM), done: 'invitation-mailed' }
  })
}

async function teamPage(
  deps: PageDeps,
  visit: ProjectVisit,
  values: InviteValues = NEW,
  problems: FormProblems = NO_PROBLEMS,
): Promise<FrameContent> {
  const { actor, account } = visit
  const team = await readTeam(deps, actor)
  const context = contextOf(deps, visit)
  const { invitations } = team
  const data = { ...context, actor, team }
  const canMail = canMailLinks(deps)
  return {
    layout: 'frame',
    title: 'Team',
    isNarrow: true,
    body: html`<div class="stack">${offerToYou(data)}
${membersTable(data)}
${may(actor, 'manage') && inviteCard({ ...context, actor, invitations, canMail, reach: siteNote(deps.site.links, account.isAdministrator), values, problems })}
${ownershipCard(data)}
${leaveCard(context.href, actor.project.slug, team)}</div>
${zoneLine(account.tz)}`,
  }
}
