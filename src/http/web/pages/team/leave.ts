/** `/p/<project>/team/leave`: somebody leaves a project. */
import { leaveProject } from '../../../../services/accounts/members.ts'
import type { Deps } from '../../../../services/deps.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { formActs, linkButton } from '../../parts/buttons.ts'
import { card } from '../../parts/lists.ts'
import { alertNote } from '../../parts/notes.ts'
import { bdi } from '../../parts/text.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { projectRoute } from '../project-route.ts'
import { LEAVE, OWNERSHIP, TEAM } from './paths.ts'

export function leaveRoutes(deps: Pick<Deps, 'store' | 'now' | 'random'>): readonly Route[] {
  return [
    projectRoute('GET', LEAVE, 'read', (visit) => ({ kind: 'page', page: leavePage(visit, NO_PROBLEMS) })),
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

export function leaveCard(href: Href, slug: string): Html {
  return card({
    title: 'Leave the project',
    body: html`<div class="stack"><p>You lose it at once. Coming back takes an invitation.</p>
<div class="acts">${linkButton({ text: 'Leave project…', href: href(projectPath(slug, LEAVE)) })}</div></div>`,
  })
}

function leavePage({ actor, site: { href } }: ProjectVisit, { whole }: FormProblems): FrameContent {
  const { name, slug } = actor.project
  const team = projectPath(slug, TEAM)
  const offer = actor.by.role === 'owner'
  return {
    layout: 'frame',
    help: 'team',
    title: 'Leave project',
    heading: html`Leave ${bdi(name)}?`,
    here: 'team',
    crumbs: [{ path: team, text: 'Team' }],
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(projectPath(slug, LEAVE))}">
${whole !== null && alertNote(html`${whole}${offer && html` <a href="${href(projectPath(slug, OWNERSHIP))}">Offer the project to somebody</a>`}`)}
<p>You lose its pages at once. Integrations that send to you stay, and reports to your address go on until they are turned off.</p>
${formActs({ text: 'Leave project', look: 'danger' }, href(team))}
</form>`,
  }
}
