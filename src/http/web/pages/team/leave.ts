/** `/p/<project>/team/leave`: lets members leave a project. */

import type { Role } from '../../../../domain/account/role.ts'
import type { Team } from '../../../../services/accounts/team.ts'
import { leaveProject } from '../../../../services/projects/members.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { card } from '../../parts/lists.ts'
import { alertNote } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { LEAVE, OWNERSHIP, TEAM } from './paths.ts'

export function leaveRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', LEAVE, 'read', (visit) => leavePage(visit, NO_PROBLEMS)),
    projectRoute('POST', LEAVE, 'read', (visit) => {
      const page = (problems: FormProblems) => leavePage(visit, problems)
      const refused = { 'last-owner': WHOLE, 'member-not-found': WHOLE }
      return orFormAgain({ refused, page }, async () => {
        await leaveProject(deps, visit.actor)
        return { kind: 'redirect', to: '/projects', done: 'project-left' }
      })
    }),
  ]
}

/** @returns null if the user is an administrator but not a project member */
export function leaveCard(href: Href, slug: string, { own, members }: Team): Html | null {
  if (own === null) return null
  const isLast =
    own.role === 'owner' && members.filter(({ role, isSuspended }) => role === 'owner' && !isSuspended).length === 1
  const text = isLast
    ? html`<p>You are its only owner, so you can't leave it. Offer the project to another member, or make another member an owner first.</p>`
    : html`<p>You lose access at once. You need an invitation to come back.</p>
<div class="acts">${linkButton({ text: 'Leave project…', href: href(projectPath(slug, LEAVE)) })}</div>`
  return card({ title: 'Leave the project', body: html`<div class="stack">${text}</div>` })
}

/** Completes a sentence about the access that a member loses, by role. */
const LOST: Readonly<Record<Role, string>> = {
  'read-only': 'its checks and logs',
  member: 'its checks, logs and integrations, and you can no longer change them',
  manager: 'its checks, logs and integrations, and you can no longer change them or its team',
  owner: 'its checks, logs and integrations, and you no longer own the project',
}

function leavePage({ actor, site: { href } }: ProjectVisit, { whole }: FormProblems): FrameContent {
  const { name, slug } = actor.project
  const team = projectPath(slug, TEAM)
  const offer = actor.by.role === 'owner'
  return formPage({
    href,
    title: 'Leave project',
    heading: html`Leave ${bdi(name)}?`,
    crumbs: [{ path: team, text: 'Team' }],
    action: projectPath(slug, LEAVE),
    fields: html`${whole !== null && alertNote(html`${whole}${offer && html` <a href="${href(projectPath(slug, OWNERSHIP))}">Offer the project to someone</a>`}`)}
<p>You immediately lose access to ${LOST[actor.by.role]}. You can't undo this: you need an invitation to come back.</p>
<p>Checks and integrations keep working, including integrations that send to you. Reports to your address continue until someone turns them off. API keys that you know still work.</p>`,
    button: { text: 'Leave project', look: 'danger' },
  })
}
