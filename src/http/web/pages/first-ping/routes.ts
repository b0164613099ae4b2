/** `/p/<project>/first-ping`: shows lines to add to a job, and the result of the job's first run. The page updates itself. */

import { uncountedSentences } from '../../../../domain/cause/uncounted.ts'
import { untoldBy } from '../../../../domain/channel/untold.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { slugify } from '../../../../domain/check/slug.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { readMuteChannels } from '../../../../services/channels/mute-channels.ts'
import { createFirstCheck, findFirstCheck, sendFirstPing } from '../../../../services/checks/first-ping.ts'
import { readUncounted } from '../../../../services/pings/uncounted.ts'
import { projectPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { chooseSnippet } from '../../parts/snippets.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { specErrors } from '../check-forms/spec-errors.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { CHECK_NAME, firstPingPage, MAKE, noCheckPage, PING } from './page.ts'

const PAGE = 'first-ping'

export function firstPingRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PAGE, 'write', (visit) => show(deps, visit)),
    projectRoute('POST', PAGE, 'write', (visit) => post(deps, visit)),
  ]
}

async function show(deps: PageDeps, visit: ProjectVisit): Promise<FrameContent> {
  const first = await findFirstCheck(deps, visit.actor)
  return first === null
    ? noCheckPage({ ...pathsOf(visit), name: '', error: undefined })
    : waitingOrPinged(deps, visit, first)
}

async function waitingOrPinged(
  deps: PageDeps,
  visit: ProjectVisit,
  { check, channelIds }: CheckWithChannels,
): Promise<FrameContent> {
  const { actor, account, url } = visit
  const now = deps.now()
  const uncountedOf = await readUncounted(deps, [check.id], [check.id], now)
  const { links } = deps.site
  return firstPingPage({
    ...pathsOf(visit),
    slug: actor.project.slug,
    isAdministrator: account.isAdministrator,
    check,
    untold: untoldBy(channelIds, await readMuteChannels(deps, actor, now)),
    hasIntegrations: (await listChannels(deps, actor)).length > 0,
    links,
    pingUrl: `${links.pingEndpoint}${check.id}`,
    snippet: chooseSnippet(url.searchParams.get('snippet')),
    uncounted: uncountedSentences(check, uncountedOf(check.id)),
    now,
    tz: account.tz,
  })
}

function pathsOf({ actor: { project }, site: { href } }: ProjectVisit) {
  return { href, path: projectPath(project.slug, PAGE), checksPath: projectPath(project.slug, 'checks') }
}

/** @throws Refusal `invalid` for an unknown action */
async function post(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, client, form } = visit
  const to = projectPath(actor.project.slug, PAGE)
  switch (form.text('action')) {
    case PING.value: {
      const isSent = await sendFirstPing(deps, actor, client)
      return { kind: 'redirect', to, ...(isSent ? { done: 'ping-sent' } : {}) }
    }
    case MAKE.value: {
      const name = form.text(CHECK_NAME).trim()
      const error = nameMistake(name)
      if (error !== undefined) return again(noCheckPage({ ...pathsOf(visit), name, error }))
      await createFirstCheck(deps, actor, name)
      return { kind: 'redirect', to }
    }
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

function nameMistake(name: string): string | undefined {
  return name === '' ? 'The check needs a name.' : specErrors({ name, slug: slugify(name) }, null).name
}
