/** `/p/<project>/team/members/<account>`: lets managers change a member's role, or remove the member. */
import { may } from '../../../../domain/actor.ts'
import { getChangeable, type TeamMember } from '../../../../services/accounts/team.ts'
import { changeRole, readRole, removeMember } from '../../../../services/projects/members.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { formActs, submit } from '../../parts/forms/buttons.ts'
import { roleField } from '../../parts/forms/roles.ts'
import { card } from '../../parts/lists.ts'
import { alertNote } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route, Visit } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { MEMBERS, memberPath, TEAM } from './paths.ts'

const PATH = `${MEMBERS}/:account`

export function memberRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PATH, 'manage', async (visit) => {
      const member = await getChangeable(deps, visit.actor, visit.params.account ?? '')
      return memberPage(visit, member, NO_PROBLEMS)
    }),
    projectRoute('POST', PATH, 'manage', (visit) => changeMember(deps, visit), { isSensitive: makesOwner }),
    projectRoute('POST', `${PATH}/remove`, 'manage', (visit) =>
      change(deps, visit, 'member-removed', (id) => removeMember(deps, visit.actor, id)),
    ),
  ]
}

function changeMember(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const role = readRole(visit.form.text('role'))
  return change(deps, visit, 'member-changed', (id) => changeRole(deps, visit.actor, id, role))
}

/** Returns whether a form makes a member an owner. Owners can take over the project, so this is as sensitive as offering ownership. */
export function makesOwner({ form }: Visit): boolean {
  return form.text('role') === 'owner'
}

/**
 * Changes or removes a member. Users who give up their own right to manage the team are redirected to the team page. Users who remove
 * themselves are redirected to their list of projects.
 */
async function change(
  deps: PageDeps,
  visit: ProjectVisit,
  done: 'member-changed' | 'member-removed',
  work: (accountId: string) => Promise<unknown>,
): Promise<PageAnswer> {
  const { actor } = visit
  const member = await getChangeable(deps, actor, visit.params.account ?? '')
  const page = (problems: FormProblems) => memberPage(visit, member, problems)
  return orFormAgain({ refused: { 'last-owner': WHOLE }, page, words: lastOwnerWords }, async () => {
    await work(member.accountId)
    const hasLeft = done === 'member-removed' && member.accountId === actor.by.accountId && !actor.by.isAdministrator
    if (hasLeft) return { kind: 'redirect', to: '/projects', done: 'project-left' }
    return { kind: 'redirect', to: projectPath(actor.project.slug, TEAM), done }
  })
}

function lastOwnerWords(): string {
  return 'This is the only owner of the project who is not suspended. Make someone else an owner first.'
}

function memberPage({ site, actor }: ProjectVisit, member: TeamMember, { whole }: FormProblems): FrameContent {
  const { href } = site
  const { slug } = actor.project
  const isSelf = member.accountId === actor.by.accountId
  const path = href(memberPath(slug, member.accountId))
  const team = projectPath(slug, TEAM)
  return {
    layout: 'frame',
    title: 'Change a member',
    heading: bdi(member.email),
    crumbs: [{ path: team, text: 'Team' }],
    isNarrow: true,
    body: html`<div class="stack">${whole !== null && alertNote(whole)}
${card({
  title: 'Role',
  body: html`<form class="form" method="post" action="${path}">
${roleField(member.role, may(actor, 'own'), isSelf ? 'This is you. If you lower your own role, you cannot undo it.' : null)}
${formActs({ text: 'Save role', look: 'primary' }, href(team))}
</form>`,
})}
${removeCard(path, isSelf)}</div>`,
  }
}

/** @param path path of the member's page, including the SITE_ROOT path prefix */
function removeCard(path: string, isSelf: boolean): Html {
  const who = isSelf ? 'You lose' : 'The person loses'
  return card({
    title: 'Remove from the project',
    body: html`<form class="stack" method="post" action="${path}/remove">
<p>${who} access at once, including on open pages. The account stays. Keys that the person knows still work, and integrations that send to them stay.</p>
<div class="acts">${submit({ text: 'Remove member', look: 'danger' })}</div></form>`,
  })
}
