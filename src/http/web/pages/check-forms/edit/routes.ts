/** `/p/<project>/checks/<check>/edit?tab=…`: the page for all of a check's settings. Older URLs redirect to it. */
import type { CheckWithChannels } from '../../../../../domain/check/representation.ts'
import { getCheckByPublicId } from '../../../../../services/checks/checks.ts'
import { type EditTab, editPath } from '../../../href.ts'
import type { PageDeps } from '../../../page.ts'
import type { ProjectVisit, Route } from '../../../route.ts'
import { projectRoute } from '../../new-route.ts'
import { CHECK_FORM_LIMIT, formRoutes } from '../check-form.ts'
import type { EditForm } from '../edit-page.ts'
import { rulesForm } from '../rules/form.ts'
import { scheduleForm } from '../schedule/form.ts'
import { alertsForm } from './alerts.ts'
import { detailsForm } from './details.ts'

export function editRoutes(deps: PageDeps): readonly Route[] {
  const details = detailsForm(deps)
  const forms = [details, scheduleForm(deps), rulesForm(deps), alertsForm(deps)]
  const find: Find = ({ actor, params }) => getCheckByPublicId(deps, actor, params.check ?? '')
  const formOf = ({ url }: ProjectVisit) => forms.find(({ tab }) => tab === url.searchParams.get('tab')) ?? details
  return [
    ...formRoutes('checks/:check/edit', {
      show: async (visit) => formOf(visit).show(await find(visit), visit),
      act: async (visit) => formOf(visit).act(await find(visit), visit),
    }),
    ...forms.flatMap((form) => previewRoutes(form, find)),
    ...(['schedule', 'rules'] as const).map((tab) => formerRoute(tab, find)),
  ]
}

type Find = (visit: ProjectVisit) => Promise<CheckWithChannels>

function previewRoutes({ tab, preview }: EditForm, find: Find): readonly Route[] {
  if (preview === undefined) return []
  return [
    projectRoute(
      'POST',
      `checks/:check/edit/${tab}/preview`,
      'write',
      async (visit) => ({ kind: 'fragment', fragment: await preview(await find(visit), visit) }),
      { formLimit: CHECK_FORM_LIMIT },
    ),
  ]
}

/** Redirects from a tab's older URL, and keeps the query. */
function formerRoute(tab: EditTab, find: Find): Route {
  return projectRoute('GET', `checks/:check/${tab}`, 'write', async (visit) => {
    const { check } = await find(visit)
    const query = Object.fromEntries(visit.url.searchParams)
    return { kind: 'redirect', to: editPath(visit.actor.project.slug, check.publicId, tab, { ...query, tab }) }
  })
}
