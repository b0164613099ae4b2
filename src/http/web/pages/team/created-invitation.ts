/** `/p/<project>/team/invitations/created`: shows the link of an invitation once. */
import { isToken } from '../../../../domain/account/session.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { type OncePlace, takeShownOnce, toShownOnce } from '../../once.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { copyable } from '../../parts/lists.ts'
import { siteNote } from '../../parts/reach-note.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { INVITED, TEAM, TEAM_HELP } from './paths.ts'

function placeOf({ actor }: ProjectVisit): OncePlace {
  return { name: 'overdue_invitation', path: projectPath(actor.project.slug, INVITED) }
}

/** @param url that ends with the token */
export function toCreatedInvitation(deps: PageDeps, visit: ProjectVisit, url: string): PageAnswer {
  return toShownOnce(deps, visit, placeOf(visit), url.slice(url.lastIndexOf('/') + 1))
}

export function createdInvitationRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', INVITED, 'manage', (visit) => {
      const { secret, ending } = takeShownOnce(deps, visit, placeOf(visit))
      const isLink = secret !== null && isToken(secret)
      const url = isLink ? `${deps.site.links.siteRoot}/invitation/${secret}` : null
      const link =
        url === null
          ? null
          : html`${copyable(url, 'Link of the invitation')}${siteNote(deps.site.links, visit.account.isAdministrator)}`
      return { kind: 'page', page: createdInvitationPage(visit.site.href, visit.actor.project.slug, link), ...ending }
    }),
  ]
}

/** @param link null once it was shown */
function createdInvitationPage(href: Href, slug: string, link: Html | null): FrameContent {
  const team = projectPath(slug, TEAM)
  const text =
    link === null
      ? html`<p>The link was shown once, or made more than a minute ago. If you have not copied it, revoke the invitation and create another.</p>`
      : html`<p>Copy the link now and send it to the person. It works once, within seven days, and is not shown again: only a hash of it is stored. Anyone with the link can join.</p>
${link}`
  return {
    layout: 'frame',
    help: TEAM_HELP,
    title: 'New invitation',
    crumbs: [{ path: team, text: 'Team' }],
    isNarrow: true,
    body: html`<div class="stack">${text}
<div class="acts">${linkButton({ text: 'Go back to the team', href: href(team) })}</div></div>`,
  }
}
